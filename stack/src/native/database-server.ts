import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { basicEnvironment } from '../basic-environment.js';
import { ManagedProcess, type Command } from '../managed-process.js';
import type { DatabaseServer } from '../stack.js';
import type { Watchdog } from '../watchdog.js';
import { initStatements, serverArguments, type DatabaseFiles } from './database-arguments.js';
import { createDataFolder } from './database-template.js';
import type { NativePrograms } from './find-programs.js';

const USER = 'root';
const PASSWORD = 'counterfoil';
const ANSWER_MS = 3_000;

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

  private constructor(
    private readonly program: NativePrograms['database'],
    private readonly settings: DatabaseSettings,
    private readonly files: DatabaseFiles,
    watchdog: Watchdog,
  ) {
    const { name, database, folder, port } = settings;
    const url = `mysql://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
    super({ name, url, logFile: join(folder, `${name}.log`) }, watchdog);
    this.database = database;
    this.port = port;
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
    await writeFile(files.initFile, initStatements(database, USER, PASSWORD), { mode: 0o600 });
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

  protected override async tryOut(): Promise<void> {
    const connection = await createConnection({ uri: this.url, connectTimeout: ANSWER_MS });
    try {
      await connection.query({ sql: 'SELECT 1', timeout: ANSWER_MS });
    } finally {
      connection.destroy();
    }
  }
}
