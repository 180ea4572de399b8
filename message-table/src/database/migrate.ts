import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

import { MessageTableError } from '../errors.js';
import { connectionOptions, sessionStatements } from './connection.js';

/** The component's own tables; a service adds a folder of its own behind it. */
export const MESSAGE_TABLE_MIGRATIONS = join(__dirname, '..', '..', 'migrations');

const LOCK_WAIT_S = 60;

/**
 * Brings the schema up to date: every `*.sql` of each folder in the order of its name, statement by statement.
 *
 * Any number of replicas may call this at once: one works, the others wait for it. After a crash in the
 * middle the next call goes on at the statement that was not recorded, which is why every statement of a
 * migration must be one that can run twice.
 *
 * @throws MessageTableError `MIGRATION_BUSY` when another process held the lock for {@link LOCK_WAIT_S} s;
 *   the driver's error when the server cannot be reached or refuses a statement.
 */
export async function migrate(url: string, folders: readonly string[]): Promise<void> {
  const connection = await createConnection(connectionOptions(url, 10_000));
  try {
    for (const sql of sessionStatements(LOCK_WAIT_S)) await connection.query(sql);
    await withMigrationLock(connection, async () => {
      await connection.query(`CREATE TABLE IF NOT EXISTS schema_migration (
          name VARCHAR(190) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
          statements_done INT NOT NULL, update_time DATETIME(3) NOT NULL) ENGINE = InnoDB`);
      for (const folder of folders) await applyFolder(connection, folder);
    });
  } finally {
    connection.destroy();
  }
}

async function applyFolder(connection: Connection, folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  for (const name of files) {
    const statements = splitStatements(await readFile(join(folder, name), 'utf8'));
    for (let done = await statementsDone(connection, name); done < statements.length; done += 1) {
      await connection.query(statements[done] ?? '');
      await connection.query(
        `INSERT INTO schema_migration (name, statements_done, update_time) VALUES (?, ?, NOW(3))
             ON DUPLICATE KEY UPDATE statements_done = VALUES(statements_done), update_time = NOW(3)`,
        [name, done + 1],
      );
    }
  }
}

async function statementsDone(connection: Connection, name: string): Promise<number> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT statements_done AS done FROM schema_migration WHERE name = ?',
    [name],
  );
  return Number(rows[0]?.['done'] ?? 0);
}

/** The lock belongs to the connection, so the server frees it when a process dies with it. */
async function withMigrationLock(connection: Connection, work: () => Promise<void>): Promise<void> {
  const lockName = `counterfoil-migrate:${connection.config.database ?? ''}`.slice(0, 64);
  const [rows] = await connection.query<RowDataPacket[]>('SELECT GET_LOCK(?, ?) AS got', [lockName, LOCK_WAIT_S]);
  if (Number(rows[0]?.['got']) !== 1) {
    throw new MessageTableError(
      'MIGRATION_BUSY',
      `Another process has been migrating for ${String(LOCK_WAIT_S)} s; see SHOW PROCESSLIST`,
    );
  }
  await work();
  await connection.query('DO RELEASE_LOCK(?)', [lockName]);
}

/** Statements end with a `;` at the end of a line; comment lines are dropped. */
export function splitStatements(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
