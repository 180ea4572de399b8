import { ArchiveWalk } from '../archive-task.js';
import { moveToArchive, type ArchiveSource } from '../archive-batch.js';
import type { Database } from '../../database/database.js';
import { asNumber, changeRows, selectRows } from '../../database/rows.js';
import type { Transaction } from '../../database/transaction.js';
import { fenceOf } from '../../database/fence.js';

export const HOUR_MS = 3_600_000;

/** One whole pass. @returns how many rows each transaction moved */
export async function archiveAll(db: Database, source: ArchiveSource, retentionMs = HOUR_MS): Promise<number[]> {
  const walk = new ArchiveWalk(db, source, retentionMs);
  const moves: number[] = [];
  for (;;) {
    const { moved, isOver } = await walk.next();
    if (moved > 0) moves.push(moved);
    if (isOver) return moves;
  }
}

export const archiveThese = (db: Database, source: ArchiveSource, ids: readonly string[]): Promise<number> =>
  moveToArchive(db, source.sql, ids, HOUR_MS);

export interface Archiver {
  readonly trx: Transaction;
  readonly copy: () => Promise<number>;
  readonly remove: () => Promise<number>;
}

/** An archiver that holds its rows and goes on step by step. */
export async function archiverHolding(db: Database, { sql }: ArchiveSource, ids: readonly string[]): Promise<Archiver> {
  const trx = await db.knex.transaction();
  const held = await selectRows<{ id: string; version: number }>(trx, sql.lock, [ids.map(asNumber), HOUR_MS * 1000]);
  return {
    trx,
    copy: () => changeRows(trx, sql.copy, fenceOf(held)),
    remove: () => changeRows(trx, sql.remove, fenceOf(held)),
  };
}

/** How often each id is in the live table and the archive together, by how often. */
export async function timesStored(db: Database, table: ArchiveSource['table']): Promise<Record<string, number>> {
  const rows = await selectRows<{ times: number | string; ids: number | string }>(
    db.knex,
    `SELECT times, COUNT(*) AS ids
       FROM (SELECT id, COUNT(*) AS times
               FROM (SELECT id FROM ${table} UNION ALL SELECT id FROM ${table}_archive) AS both_tables
              GROUP BY id) AS counted
      GROUP BY times`,
  );
  return Object.fromEntries(rows.map(({ times, ids }) => [String(times), Number(ids)]));
}

export const idsIn = async (db: Database, table: string): Promise<string[]> =>
  (await selectRows<{ id: string }>(db.knex, `SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);
