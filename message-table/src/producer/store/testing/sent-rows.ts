import type { Database } from '../../../database/database.js';
import { changeRows } from '../../../database/rows.js';
import { multiply } from '../../../testkit/query-plans.js';
import { insertRows } from '../insert.js';
import { PRODUCER_ROW } from './many-rows.js';

/** Messages 1 … count, all SENT; the ids above `old` a minute ago, the others two hours ago. */
export async function sentRows(filler: Database, count: number, old = count): Promise<void> {
  const columns = { channelConfig: '{"é":1}', headers: '{"traceparent":"00-1"}', content: '{"text":"数 🙂 \\u0000"}' };
  await insertRows(filler.knex, [{ ...PRODUCER_ROW, ...columns, claimedBy: 'relay-1', id: '1', messageId: 'copy-1' }]);
  await multiply(filler.knex, 'producer_message', count);
  await changeRows(
    filler.knex,
    `UPDATE producer_message
        SET status = 'SENT', next_retry_time = NULL, version = 2 + id MOD 3, error_msg = IF(id MOD 2 = 0, NULL, 'x '),
            retry_count = id MOD 4, create_time = NOW(3) - INTERVAL 3 HOUR,
            sent_time = NOW(3) - INTERVAL IF(id <= ?, 120, 1) MINUTE, update_time = sent_time`,
    [old],
  );
}
