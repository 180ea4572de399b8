import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

import { connectionOptions, sessionStatements } from '../database/connection.js';
import type { Database } from '../database/database.js';

/**
 * The archives have a partition for each day, so that what is too old goes with its file instead of row by row. Days
 * are made in advance: dividing a partition that holds rows copies them.
 */

export type ArchiveTable = 'producer_message_archive' | 'consumer_message_archive';

export interface PartitionPlan {
  /** Days, `YYYY-MM-DD`. */
  readonly add: readonly string[];
  readonly drop: readonly string[];
}

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 7;

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * @param days that have a partition, in order
 * @param keptDays how many whole days before today are kept
 */
export function planPartitions(days: readonly string[], today: string, keptDays: number): PartitionPlan {
  const wanted = Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => dayAfter(today, ahead));
  const last = days.at(-1) ?? '';
  const oldest = dayAfter(today, -keptDays);
  return {
    // After a long pause the first new day also takes in the days before it: kept a little longer, never shorter.
    add: wanted.filter((day) => day > last),
    drop: days.filter((day) => day < oldest),
  };
}

const nameOf = (day: string): string => `p${day.replaceAll('-', '')}`;
const dayOf = (name: string): string => `${name.slice(1, 5)}-${name.slice(5, 7)}-${name.slice(7, 9)}`;

const PARTITIONS = `
  SELECT PARTITION_NAME AS name
    FROM information_schema.PARTITIONS
   WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?
   ORDER BY PARTITION_ORDINAL_POSITION`;

// An ALTER that waits for a long reader makes everybody behind it wait, too: it gives up soon and comes again.
const SESSION = 'SET SESSION lock_wait_timeout = 2';
const ALTER_MS = 600_000;

/**
 * Makes the days to come and drops those that are over. May be called by any number of processes, as often as they like.
 *
 * @param today `YYYY-MM-DD`; the database's unless given
 * @returns what was done; null when somebody else is at it
 * @throws the driver's error; what is missing then is made the next time
 */
export async function keepPartitions(
  db: Database,
  table: ArchiveTable,
  keptDays: number,
  today?: string,
): Promise<PartitionPlan | null> {
  const { url, deadlineMs, lockWaitS } = db.options;
  // A connection of its own: the lock belongs to it, and an ALTER may take longer than the pool's deadline.
  const connection = await createConnection(connectionOptions(url, deadlineMs));
  connection.on('error', () => undefined);
  try {
    for (const sql of [...sessionStatements(lockWaitS), SESSION]) await ask(connection, sql, [], deadlineMs);
    const lock = `counterfoil-partitions:${connection.config.database ?? ''}`.slice(0, 64);
    const [got] = await ask(connection, 'SELECT GET_LOCK(?, 0) AS got, CURRENT_DATE() AS today', [lock], deadlineMs);
    if (Number(got?.['got']) !== 1) return null;
    return await alter(connection, table, keptDays, today ?? dayIn(got?.['today']));
  } finally {
    // With it goes the lock.
    connection.destroy();
  }
}

const dayIn = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value)).slice(0, 10);

async function alter(
  connection: Connection,
  table: ArchiveTable,
  keptDays: number,
  today: string,
): Promise<PartitionPlan> {
  const rows = await ask(connection, PARTITIONS, [table], ALTER_MS);
  const days = rows.map((row) => String(row['name'])).filter((name) => /^p\d{8}$/.test(name));
  const plan = planPartitions(days.map(dayOf), today, keptDays);
  if (plan.add.length > 0) await ask(connection, addition(table, plan.add), [], ALTER_MS);
  if (plan.drop.length > 0) {
    await ask(connection, `ALTER TABLE ${table} DROP PARTITION ${plan.drop.map(nameOf).join(', ')}`, [], ALTER_MS);
  }
  return plan;
}

const addition = (table: ArchiveTable, days: readonly string[]): string => `
  ALTER TABLE ${table} REORGANIZE PARTITION p_last INTO (
    ${days.map((day) => `PARTITION ${nameOf(day)} VALUES LESS THAN ('${dayAfter(day, 1)}')`).join(',\n    ')},
    PARTITION p_last VALUES LESS THAN (MAXVALUE))`;

async function ask(connection: Connection, sql: string, values: unknown[], ms: number): Promise<RowDataPacket[]> {
  const [rows] = await connection.query<RowDataPacket[]>({ sql, values, timeout: ms });
  return rows;
}
