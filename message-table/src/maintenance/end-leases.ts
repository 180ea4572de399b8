import { fenceOf } from '../database/fence.js';
import { changeRows } from '../database/rows.js';
import type { Transaction } from '../database/transaction.js';

/** A row counts as lost when its lease ended without an outcome; so many in a row end it as FAILED 'worker-lost'. */
export const LOST_LIMIT = 5;

/** A row, locked, whose lease is over. */
export interface EndedLease {
  readonly id: string;
  readonly version: number;
  readonly lostCount: number;
}

export interface Swept {
  readonly released: number;
  readonly failed: number;
}

/** Releases what was lost a few times and gives up what was lost too often, by the two statements of its table. */
export async function endLeases(
  trx: Transaction,
  ended: readonly EndedLease[],
  { release, giveUp }: { readonly release: string; readonly giveUp: string },
): Promise<Swept> {
  const isLost = ({ lostCount }: EndedLease): boolean => lostCount + 1 >= LOST_LIMIT;
  const move = (sql: string, rows: readonly EndedLease[]): Promise<number> =>
    rows.length === 0 ? Promise.resolve(0) : changeRows(trx, sql, fenceOf(rows));
  const released = await move(
    release,
    ended.filter((row) => !isLost(row)),
  );
  return { released, failed: await move(giveUp, ended.filter(isLost)) };
}
