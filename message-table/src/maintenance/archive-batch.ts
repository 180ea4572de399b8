import type { Database } from '../database/database.js';
import { asNumber, changeRows, selectRows, type Runner } from '../database/rows.js';
import { runInTransaction } from '../database/transaction.js';
import { fenceOf } from '../database/fence.js';

/**
 * Ids in one transaction at most. Not more than 499: the fence lists (id, version) pairs, and MariaDB turns a list of
 * 1000 values or more into a join with a temporary table (`in_predicate_conversion_threshold`).
 */
export const ARCHIVE_BATCH = 400;

/** Content bytes in one transaction at most, one row whatever its size: large messages must not make it a long one. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** A finished row that a walk came across. */
export interface Candidate {
  readonly id: string;
  /** 1 when it has been finished for the whole retention. */
  readonly isOld: number | string;
  readonly bytes: number | string;
}

/** How the store that owns a table hands its finished rows out. */
export interface ArchiveSource {
  readonly table: 'producer_message' | 'consumer_message';
  /** The parts of the index that may hold old rows: house numbers, or just 0. None in a young table, for one query. */
  ranges(runner: Runner, retentionMs: number): Promise<number[]>;
  /** Up to {@link ARCHIVE_BATCH} finished rows behind `afterId`, ids ascending, without a lock; fewer: the range ends here. */
  page(runner: Runner, retentionMs: number, range: number, afterId: string): Promise<readonly Candidate[]>;
  readonly sql: MoveSql;
}

export interface MoveSql {
  /** Bindings: ids, retention in µs. */
  readonly lock: string;
  /** Bindings of this and the next: ids, (id, version) pairs. */
  readonly copy: string;
  readonly remove: string;
}

/** The part of a page that one transaction moves. */
export function withinBytes(page: readonly Candidate[], budget = BATCH_BYTES): readonly Candidate[] {
  let bytes = 0;
  const end = page.findIndex((row, index) => {
    bytes += Number(row.isOld) === 1 ? Number(row.bytes) : 0;
    return index > 0 && bytes > budget;
  });
  return end === -1 ? page : page.slice(0, end);
}

/**
 * Copies rows to the archive and removes them, both or neither: a process that dies in between leaves a transaction
 * that the server rolls back. What is locked, replayed or no longer old by now stays.
 *
 * @returns how many rows moved
 * @throws the driver's error; COMMIT_UNKNOWN when they may have moved: the next walk sees which
 */
export function moveToArchive(
  db: Database,
  sql: MoveSql,
  ids: readonly string[],
  retentionMs: number,
): Promise<number> {
  return runInTransaction(db, async (trx) => {
    const held = await selectRows<{ id: string; version: number }>(trx, sql.lock, [
      ids.map(asNumber),
      retentionMs * 1000,
    ]);
    if (held.length === 0) return 0;
    const copied = await changeRows(trx, sql.copy, fenceOf(held));
    const removed = await changeRows(trx, sql.remove, fenceOf(held));
    if (copied !== held.length || removed !== held.length) {
      throw new Error(
        `${String(held.length)} rows were held, ${String(copied)} copied and ${String(removed)} removed: nothing is archived`,
      );
    }
    return removed;
  });
}
