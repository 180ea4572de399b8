import type { Database } from '../../database/database.js';
import { selectRows } from '../../database/rows.js';
import { runInTransaction } from '../../database/transaction.js';
import { endLeases, type EndedLease, type Swept } from '../../maintenance/end-leases.js';
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

/** @returns how many rows were released and how many given up */
export async function sweepProducerLeases(db: Database): Promise<Swept> {
  const total = { released: 0, failed: 0 };
  for (const house of await housesDue(db.knex, 'SENDING')) {
    const swept = await runInTransaction(db, async (trx) => {
      const ended = await selectRows<EndedLease>(trx, SELECT_ENDED, [house]);
      return endLeases(trx, ended, { release: RELEASE, giveUp: GIVE_UP });
    });
    total.released += swept.released;
    total.failed += swept.failed;
  }
  if (total.released + total.failed > 0) db.events.emit('leasesSwept', { table: 'producer_message', ...total });
  return total;
}
