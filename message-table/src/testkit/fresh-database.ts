import { randomBytes } from 'node:crypto';

import { createConnection } from 'mysql2/promise';

import { openDatabase, type Database, type DatabaseOptions } from '../database/database.js';
import { MESSAGE_TABLE_MIGRATIONS, migrate } from '../database/migrate.js';
import { createEvents } from '../observe/events.js';

export interface FreshDatabase extends AsyncDisposable {
  readonly url: string;
  readonly db: Database;
  /** Another pool on the same database, as another process would have. */
  another(options?: Partial<DatabaseOptions>): Database;
}

/** A database of its own for one suite, on the server that the environment names. Disposing it drops it. */
export async function freshDatabase(
  folders: readonly string[] = [],
  variable = 'ORDER_DB_URL',
): Promise<FreshDatabase> {
  const server = new URL(process.env[variable] ?? '');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(`/${name}`, server).href;
  await migrate(url, [MESSAGE_TABLE_MIGRATIONS, ...folders]);
  const opened: Database[] = [];
  const another = (options: Partial<DatabaseOptions> = {}): Database => {
    const db = openDatabase({ url, events: createEvents(), ...options });
    opened.push(db);
    return db;
  };
  return {
    url,
    db: another(),
    another,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((db) => db.close()));
      await onServer(server, `DROP DATABASE ${name}`);
    },
  };
}

async function onServer(server: URL, sql: string): Promise<void> {
  const connection = await createConnection(server.href);
  await connection.query(sql);
  await connection.end();
}
