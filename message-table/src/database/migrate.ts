import { join } from 'node:path';

import { createConnection, type RowDataPacket } from 'mysql2/promise';

import { DEFAULT_OPTIONS } from '../default-options.js';
import { MessageTableError, oneLine, reasonOf } from '../errors.js';
import { connectionOptions, sessionStatements } from './connection.js';
import { statementIsWrong } from './error-kinds.js';
import {
  assertUnchanged,
  checksumOf,
  readMigrations,
  type AppliedFile,
  type MigrationFile,
} from './migration-files.js';

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
 * migration must be one that can run twice. What was applied is recorded with a checksum.
 *
 * @throws MessageTableError `MIGRATION_BUSY` when another process held the lock for `lockWaitS` (60 s);
 *   `MIGRATION_CHANGED` and `MIGRATION_NAME_TAKEN` before any statement of the file in question;
 *   `MIGRATION_FAILED` when a statement of a file is wrong; the driver's error when the server cannot be reached, falls
 *   silent or refuses a statement that it may take later.
 */
export async function migrate(url: string, folders: readonly string[], options: MigrateOptions = {}): Promise<void> {
  const { lockWaitS, deadlineMs } = { ...DEFAULT_OPTIONS.migrate, ...options };
  const files = await readMigrations(folders);
  const connection = await createConnection(connectionOptions(url, deadlineMs));
  // One that is lost between two statements would otherwise end the process; the next statement says so.
  connection.on('error', () => undefined);
  try {
    const ask: Ask = (sql, values = [], ms = deadlineMs) => within(ms, connection.query<RowDataPacket[]>(sql, values));
    for (const sql of sessionStatements(lockWaitS)) await ask(sql);
    await withMigrationLock(ask, connection.config.database ?? '', lockWaitS, async () => {
      await prepareRecord(ask);
      for (const file of files) await applyFile(ask, file);
    });
  } finally {
    connection.destroy();
  }
}

const WRONG: readonly string[] = ['MIGRATION_CHANGED', 'MIGRATION_FAILED', 'MIGRATION_NAME_TAKEN'];

/** True for what no waiting mends: the files of this process do not fit the database. */
export const isWrongMigration = (error: unknown): boolean =>
  error instanceof MessageTableError && WRONG.includes(error.code);

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
    update_time     DATETIME(3)  NOT NULL,
    checksum        VARCHAR(80)  CHARACTER SET ascii COLLATE ascii_bin NULL
  ) ENGINE = InnoDB`;

// NULL for the processes of versions before this one, which do not name it.
const HAS_CHECKSUM = `
  SELECT 1 FROM information_schema.COLUMNS
   WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'schema_migration' AND COLUMN_NAME = 'checksum'`;
const ADD_CHECKSUM = `
  ALTER TABLE schema_migration ADD COLUMN checksum VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NULL`;

const APPLIED = 'SELECT statements_done AS done, checksum FROM schema_migration WHERE name = ?';

const RECORD = `
  INSERT INTO schema_migration (name, statements_done, update_time, checksum) VALUES (?, ?, NOW(3), ?)
      ON DUPLICATE KEY UPDATE statements_done = ?, update_time = NOW(3), checksum = ?`;

const ADOPT = 'UPDATE schema_migration SET checksum = ? WHERE name = ? AND checksum IS NULL';

async function prepareRecord(ask: Ask): Promise<void> {
  await ask(CREATE_RECORD, [], STATEMENT_MS);
  const [found] = await ask(HAS_CHECKSUM);
  if (found.length === 0) await ask(ADD_CHECKSUM, [], STATEMENT_MS);
}

async function applyFile(ask: Ask, file: MigrationFile): Promise<void> {
  const { name, statements } = file;
  const applied = await appliedOf(ask, name);
  assertUnchanged(file, applied);
  // What it says now is taken for what was applied: from here on a change shows.
  if (applied.checksum === null && applied.statementsDone > 0)
    await ask(ADOPT, [checksumOf(statements, applied.statementsDone), name]);
  for (let done = applied.statementsDone; done < statements.length; done += 1) {
    await ask(statements[done] ?? '', [], STATEMENT_MS).catch((error: unknown) => {
      throw statementIsWrong(error) ? failed(file, done, error) : error;
    });
    const checksum = checksumOf(statements, done + 1);
    await ask(RECORD, [name, done + 1, checksum, done + 1, checksum]);
  }
}

const SHOWN_CHARACTERS = 200;

function failed({ path, statements }: MigrationFile, index: number, cause: unknown): MessageTableError {
  const which = `${path}, statement ${String(index + 1)} of ${String(statements.length)}`;
  const text = oneLine(statements[index] ?? '').slice(0, SHOWN_CHARACTERS);
  return new MessageTableError('MIGRATION_FAILED', `${which}: ${reasonOf(cause)}. It reads: ${text}`, { cause });
}

async function appliedOf(ask: Ask, name: string): Promise<AppliedFile> {
  const [[row]] = await ask(APPLIED, [name]);
  const checksum: unknown = row?.['checksum'];
  return { statementsDone: Number(row?.['done'] ?? 0), checksum: typeof checksum === 'string' ? checksum : null };
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
