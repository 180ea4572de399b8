import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { basicEnvironment } from '../basic-environment.js';
import { DATABASE_PASSWORD, DATABASE_USER, databaseUrlAt, selectOne } from '../database-access.js';
import { ManagedProcess, type Command } from '../managed-process.js';
import type { DatabaseServer } from '../stack.js';
import type { Watchdog } from '../watchdog.js';
import { initStatements, serverArguments, type DatabaseFiles } from './database-arguments.js';
import { createDataFolder } from './database-template.js';
import type { NativePrograms } from './find-programs.js';

export interface DatabaseSettings {
  name: string;
  database: string;
  folder: string;
  dataFolder: string;
  port: number;
  args: string[];
}

export class NativeDatabaseServer extends ManagedProcess implements DatabaseServer {
  readonly database: string;
  readonly port: number;
  readonly peerAddress: string;

  private constructor(
    private readonly program: NativePrograms['database'],
    private readonly settings: DatabaseSettings,
    private readonly files: DatabaseFiles,
    watchdog: Watchdog,
  ) {
    const { name, database, folder, port } = settings;
    super({ name, url: databaseUrlAt(port, database), logFile: join(folder, `${name}.log`) }, watchdog);
    this.database = database;
    this.port = port;
    this.peerAddress = `127.0.0.1:${port}`;
  }

  /** Fills the data folder unless it holds data already. */
  static async create(
    program: NativePrograms['database'],
    settings: DatabaseSettings,
    watchdog: Watchdog,
  ): Promise<NativeDatabaseServer> {
    const { name, database, folder, dataFolder } = settings;
    const inFolder = (ending: string) => join(folder, `${name}.${ending}`);
    const files = {
      dataFolder,
      tmpFolder: inFolder('tmp'),
      socket: inFolder('sock'),
      pidFile: inFolder('pid'),
      initFile: inFolder('sql'),
    };
    await mkdir(files.tmpFolder, { recursive: true });
    await writeFile(files.initFile, initStatements(database, DATABASE_USER, DATABASE_PASSWORD), { mode: 0o600 });
    if (!existsSync(dataFolder)) {
      await mkdir(dirname(dataFolder), { recursive: true });
      await createDataFolder(program, dataFolder, folder);
    }
    return new NativeDatabaseServer(program, settings, files, watchdog);
  }

  protected override command(): Command {
    const { port, args, folder } = this.settings;
    return {
      file: this.program.server,
      args: serverArguments(this.program.kind, this.files, port, args),
      env: basicEnvironment(),
      cwd: folder,
    };
  }

  protected override tryOut(): Promise<void> {
    return selectOne(this.url);
  }
}
