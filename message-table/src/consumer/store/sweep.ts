import type { Database } from '../../database/database.js';
import { selectRows } from '../../database/rows.js';
import { runInTransaction } from '../../database/transaction.js';
import { endLeases, type EndedLease, type Swept } from '../../maintenance/end-leases.js';

/** Ends the leases of redeliveries that never came back; counts lost leases, never attempts. */

const SELECT_ENDED = `
  SELECT id, version, lost_count AS lostCount
    FROM consumer_message FORCE INDEX (for_retry)
   WHERE status = 'RETRYING' AND next_retry_time <= NOW(3)
   ORDER BY next_retry_time, id
   LIMIT 500
     FOR UPDATE SKIP LOCKED`;

const RELEASE = `
  UPDATE consumer_message FORCE INDEX (PRIMARY)
     SET status = 'PENDING_RETRY', next_retry_time = NOW(3), lost_count = lost_count + 1, version = version + 1
   WHERE id IN (?) AND status = 'RETRYING' AND (id, version) IN (?)`;

const GIVE_UP = `
  UPDATE consumer_message FORCE INDEX (PRIMARY)
     SET status = 'FAILED', next_retry_time = NULL, lost_count = lost_count + 1, version = version + 1,
         error_msg = 'worker-lost: so many leases in a row ended without an outcome'
   WHERE id IN (?) AND status = 'RETRYING' AND (id, version) IN (?)`;

/** @returns how many notes were released and how many given up */
export async function sweepConsumerLeases(db: Database): Promise<Swept> {
  const total = await runInTransaction(db, async (trx) => {
    const ended = await selectRows<EndedLease>(trx, SELECT_ENDED);
    return endLeases(trx, ended, { release: RELEASE, giveUp: GIVE_UP });
  });
  if (total.released + total.failed > 0) db.events.emit('leasesSwept', { table: 'consumer_message', ...total });
  return total;
}
