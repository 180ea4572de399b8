import { DATABASE_PASSWORD, databaseUrlAt, selectOne } from '../database-access.js';
import { tuning, type DatabaseKind } from '../database-tuning.js';
import type { DatabaseServer } from '../stack.js';
import type { Watchdog } from '../watchdog.js';
import { ManagedContainer } from './managed-container.js';

export interface DatabaseContainerSettings {
  name: string;
  image: string;
  hostName: string;
  network: string;
  database: string;
  port: number;
  args: string[];
  logFile: string;
}

const DATABASE_PORT = 3306;

export class DatabaseContainer extends ManagedContainer implements DatabaseServer {
  readonly database: string;
  readonly port: number;
  readonly peerAddress: string;

  constructor(settings: DatabaseContainerSettings, watchdog: Watchdog) {
    const { name, image, hostName, network, database, port, args, logFile } = settings;
    const kind: DatabaseKind = image.includes('mariadb') ? 'mariadb' : 'mysql';
    super(
      { name, url: databaseUrlAt(port, database), logFile },
      {
        ...{ image, hostName, network },
        ports: [{ container: DATABASE_PORT, host: port }],
        environment: account(kind, database),
        command: [...tuning(kind), ...args],
        program: ['mysqld', 'mariadbd'],
      },
      watchdog,
    );
    this.database = database;
    this.port = port;
    this.peerAddress = `${hostName}:${DATABASE_PORT}`;
  }

  protected override tryOut(): Promise<void> {
    return selectOne(this.url);
  }
}

function account(kind: DatabaseKind, database: string): Record<string, string> {
  const prefix = kind.toUpperCase();
  return {
    [`${prefix}_ROOT_PASSWORD`]: DATABASE_PASSWORD,
    [`${prefix}_ROOT_HOST`]: '%',
    [`${prefix}_DATABASE`]: database,
  };
}
