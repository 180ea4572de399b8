import { DATABASE_PASSWORD, databaseUrlAt, selectOne } from '../database-access.js';
import { tuning, type DatabaseKind } from '../database-tuning.js';
import type { DatabaseServer } from '../stack.js';
import type { Watchdog } from '../watchdog.js';
import { ManagedContainer } from './managed-container.js';

export interface DatabaseContainerSettings {
  name: string;
  image: string;
  hostName: string;
  database: string;
  port: number;
  args: string[];
  logFile: string;
}

export class DatabaseContainer extends ManagedContainer implements DatabaseServer {
  readonly database: string;
  readonly port: number;

  constructor({ name, image, hostName, database, port, args, logFile }: DatabaseContainerSettings, watchdog: Watchdog) {
    const kind: DatabaseKind = image.includes('mariadb') ? 'mariadb' : 'mysql';
    super(
      { name, url: databaseUrlAt(port, database), logFile },
      {
        ...{ image, hostName },
        ports: [{ container: 3306, host: port }],
        environment: account(kind, database),
        command: [...tuning(kind), ...args],
        program: ['mysqld', 'mariadbd'],
      },
      watchdog,
    );
    this.database = database;
    this.port = port;
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
