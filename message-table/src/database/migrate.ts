import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createConnection, type RowDataPacket } from 'mysql2/promise';

import { DEFAULT_OPTIONS } from '../default-options.js';
import { MessageTableError } from '../errors.js';
import { connectionOptions, sessionStatements } from './connection.js';

/** The component's own tables; a service adds a folder of its own behind it. */
export const MESSAGE_TABLE_MIGRATIONS = join(__dirname, '..', '..', 'migrations');

export interface MigrateOptions {
  /** How long to wait for another process that migrates. Shorter: of replicas that start together, some do not. */
  readonly lockWaitS?: number;
  /** How long connecting and bookkeeping may take each. A migration's own statement may take {@link STATEMENT_MS}. */
  readonly deadlineMs?: number;
}

/** A large table takes its time to change, but a server that fell silent must not keep a process from starting for ever. */
const STATEMENT_MS = 3_600_000;

/**
 * Brings the schema up to date: every `*.sql` of each folder in the order of its name, statement by statement.
 *
 * Any number of replicas may call this at once: one works, the others wait for it. After a crash in the
 * middle the next call goes on at the statement that was not recorded, which is why every statement of a
 * migration must be one that can run twice.
 *
 * @throws MessageTableError `MIGRATION_BUSY` when another process held the lock for `lockWaitS` (60 s);
 *   the driver's error when the server cannot be reached, falls silent or refuses a statement.
 */
export async function migrate(url: string, folders: readonly string[], options: MigrateOptions = {}): Promise<void> {
  const { lockWaitS, deadlineMs } = { ...DEFAULT_OPTIONS.migrate, ...options };
  const connection = await createConnection(connectionOptions(url, deadlineMs));
  try {
    const ask: Ask = (sql, values = [], ms = deadlineMs) => within(ms, connection.query<RowDataPacket[]>(sql, values));
    for (const sql of sessionStatements(lockWaitS)) await ask(sql);
    await withMigrationLock(ask, connection.config.database ?? '', lockWaitS, async () => {
      await ask(CREATE_RECORD, [], STATEMENT_MS);
      for (const folder of folders) await applyFolder(ask, folder);
    });
  } finally {
    connection.destroy();
  }
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `The database gave no answer within ${String(ms)} ms`;
    timer = setTimeout(() => reject(new MessageTableError('DB_DEADLINE', text)), ms);
  });
  return Promise.race([answer, late]).finally(() => {
    clearTimeout(timer);
  });
}

type Ask = (sql: string, values?: unknown[], ms?: number) => Promise<[RowDataPacket[], unknown]>;

const CREATE_RECORD = `
  CREATE TABLE IF NOT EXISTS schema_migration (
    name            VARCHAR(190) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    statements_done INT          NOT NULL,
    update_time     DATETIME(3)  NOT NULL
  ) ENGINE = InnoDB`;

const RECORD = `
  INSERT INTO schema_migration (name, statements_done, update_time) VALUES (?, ?, NOW(3))
      ON DUPLICATE KEY UPDATE statements_done = ?, update_time = NOW(3)`;

async function applyFolder(ask: Ask, folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  for (const name of files) {
    const statements = splitStatements(await readFile(join(folder, name), 'utf8'));
    for (let done = await statementsDone(ask, name); done < statements.length; done += 1) {
      await ask(statements[done] ?? '', [], STATEMENT_MS);
      await ask(RECORD, [name, done + 1, done + 1]);
    }
  }
}

async function statementsDone(ask: Ask, name: string): Promise<number> {
  const [rows] = await ask('SELECT statements_done AS done FROM schema_migration WHERE name = ?', [name]);
  return Number(rows[0]?.['done'] ?? 0);
}

/** The lock belongs to the connection, so the server frees it when a process dies with it. */
async function withMigrationLock(
  ask: Ask,
  database: string,
  lockWaitS: number,
  work: () => Promise<void>,
): Promise<void> {
  const lockName = `counterfoil-migrate:${database}`.slice(0, 64);
  const [rows] = await ask('SELECT GET_LOCK(?, ?) AS got', [lockName, lockWaitS], (lockWaitS + 10) * 1000);
  if (Number(rows[0]?.['got']) !== 1) {
    throw new MessageTableError(
      'MIGRATION_BUSY',
      `Another process has been migrating for ${String(lockWaitS)} s; see SHOW PROCESSLIST`,
    );
  }
  await work();
  await ask('DO RELEASE_LOCK(?)', [lockName]);
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
