import type { Database } from '../../database/database.js';
import { changeRows, selectRows } from '../../database/rows.js';
import { runInTransaction, type Transaction } from '../../database/transaction.js';
import { LOST_LIMIT } from '../producer-message.js';
import { fenceOf } from './fence.js';
import { housesDue } from './read.js';

/**
 * Ends the leases of holders that never came back. It counts lost leases and never attempts: a batch that went
 * down with its process must not pay for the one row that took it along.
 */

const SELECT_ENDED = `
  SELECT id, version, lost_count AS lostCount
    FROM producer_message FORCE INDEX (for_claim)
   WHERE status = 'SENDING' AND house_number = ? AND next_retry_time <= NOW(3)
   ORDER BY next_retry_time, id
   LIMIT 500
     FOR UPDATE SKIP LOCKED`;

const RELEASE = `
  UPDATE producer_message FORCE INDEX (PRIMARY)
     SET status = 'PENDING', next_retry_time = NOW(3), lost_count = lost_count + 1, claimed_by = NULL,
         update_time = NOW(3), version = version + 1
   WHERE id IN (?) AND status = 'SENDING' AND (id, version) IN (?)`;

const GIVE_UP = `
  UPDATE producer_message FORCE INDEX (PRIMARY)
     SET status = 'FAILED', next_retry_time = NULL, lost_count = lost_count + 1, claimed_by = NULL,
         error_msg = 'worker-lost: so many leases in a row ended without an outcome', update_time = NOW(3), version = version + 1
   WHERE id IN (?) AND status = 'SENDING' AND (id, version) IN (?)`;

interface Ended {
  readonly id: string;
  readonly version: number;
  readonly lostCount: number;
}

/** @returns how many rows were released and how many given up */
export async function sweepProducerLeases(db: Database): Promise<{ released: number; failed: number }> {
  const total = { released: 0, failed: 0 };
  for (const house of await housesDue(db.knex, 'SENDING')) {
    const swept = await runInTransaction(db, (trx) => sweepHouse(trx, house));
    total.released += swept.released;
    total.failed += swept.failed;
  }
  if (total.released + total.failed > 0) db.events.emit('leasesSwept', { table: 'producer_message', ...total });
  return total;
}

async function sweepHouse(trx: Transaction, house: number): Promise<{ released: number; failed: number }> {
  const ended = await selectRows<Ended>(trx, SELECT_ENDED, [house]);
  const given = ended.filter(({ lostCount }) => lostCount + 1 >= LOST_LIMIT);
  const back = ended.filter(({ lostCount }) => lostCount + 1 < LOST_LIMIT);
  const move = (sql: string, rows: readonly Ended[]): Promise<number> =>
    rows.length === 0 ? Promise.resolve(0) : changeRows(trx, sql, fenceOf(rows));
  return { released: await move(RELEASE, back), failed: await move(GIVE_UP, given) };
}
