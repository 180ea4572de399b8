import type { Database } from '../../database/database.js';
import { asNumber, byId, changeRows, selectRows } from '../../database/rows.js';
import { runInTransaction } from '../../database/transaction.js';
import { LOST_LIMIT } from '../consumer-message.js';

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

interface Ended {
  readonly id: string;
  readonly version: number;
  readonly lostCount: number;
}

export async function sweepConsumerLeases(db: Database): Promise<{ released: number; failed: number }> {
  const total = await runInTransaction(db, async (trx) => {
    const ended = (await selectRows<Ended>(trx, SELECT_ENDED)).sort(byId);
    const move = (sql: string, rows: readonly Ended[]): Promise<number> =>
      rows.length === 0
        ? Promise.resolve(0)
        : changeRows(trx, sql, [
            rows.map(({ id }) => asNumber(id)),
            rows.map(({ id, version }) => [asNumber(id), version]),
          ]);
    const released = await move(
      RELEASE,
      ended.filter(({ lostCount }) => lostCount + 1 < LOST_LIMIT),
    );
    const failed = await move(
      GIVE_UP,
      ended.filter(({ lostCount }) => lostCount + 1 >= LOST_LIMIT),
    );
    return { released, failed };
  });
  if (total.released + total.failed > 0) db.events.emit('leasesSwept', { table: 'consumer_message', ...total });
  return total;
}
