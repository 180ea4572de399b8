import type { Database } from '../../database/database.js';
import { changeRows, selectRows } from '../../database/rows.js';
import { runInTransaction, type Transaction } from '../../database/transaction.js';
import { HOUSE_COUNT } from '../producer-message.js';
import type { Obstacle } from './sort-rows.js';
import { fenceOf } from '../../database/fence.js';

/**
 * Rows that must not be sent now are put off, not filtered out of the claim: a filter costs time in proportion to
 * what it skips, in every claim (40 ms instead of 1 behind 20 000 rows).
 */

// Jittered upwards only: what came back before its obstacle is gone would be put off once more for nothing.
const PARK = `
  UPDATE producer_message FORCE INDEX (PRIMARY)
     SET version = version + 1, update_time = NOW(3), parked_for = ?,
         next_retry_time = NOW(3) + INTERVAL CAST(? * 1000 * (1 + 0.2 * RAND()) AS SIGNED) MICROSECOND
   WHERE id IN (?) AND status = 'PENDING' AND (id, version) IN (?)`;

/** PENDING → PENDING, later; in the transaction that found them due. No attempt is used. */
export const parkRows = (
  trx: Transaction,
  { parkedFor, ms }: Obstacle,
  rows: readonly { id: string; version: number }[],
): Promise<number> => changeRows(trx, PARK, [parkedFor, ms, ...fenceOf(rows)]);

// Spread over two seconds: what waited for one destination does not all come back in one moment. What is due by then is
// left as it is, what was pulled a moment ago among it: every batch would otherwise read all of those before it again.
const SELECT_PARKED = `
  SELECT id, version
    FROM producer_message FORCE INDEX (for_claim)
   WHERE status = 'PENDING' AND house_number = ? AND next_retry_time > NOW(3) + INTERVAL 2 SECOND AND parked_for = ?
   ORDER BY next_retry_time, id
   LIMIT 500
     FOR UPDATE SKIP LOCKED`;

const PULL_FORWARD = `
  UPDATE producer_message FORCE INDEX (PRIMARY)
     SET version = version + 1, update_time = NOW(3), parked_for = NULL,
         next_retry_time = NOW(3) + INTERVAL CAST(2000000 * RAND() AS SIGNED) MICROSECOND
   WHERE id IN (?) AND status = 'PENDING' AND (id, version) IN (?)`;

/** Makes what was parked for something that is free again due soon, up to 500 rows of a house. @returns how many */
const pullBatch = (db: Database, house: number, parkedFor: string): Promise<number> =>
  runInTransaction(db, async (trx) => {
    const parked = await selectRows<{ id: string; version: number }>(trx, SELECT_PARKED, [house, parkedFor]);
    return parked.length === 0 ? 0 : changeRows(trx, PULL_FORWARD, fenceOf(parked));
  });

/**
 * The same for all houses, batch after batch.
 *
 * @param mayGoOn asked before each batch
 * @returns false when it was stopped while there may be more
 */
export async function pullForward(db: Database, parkedFor: string, mayGoOn: () => boolean): Promise<boolean> {
  for (let house = 0; house < HOUSE_COUNT; house += 1) {
    do {
      if (!mayGoOn()) return false;
    } while ((await pullBatch(db, house, parkedFor)) > 0);
  }
  return true;
}
