/** Removes: notes are kept for as long as copies may come. They are archived half a second after the effect. */
import { built, replace } from './replace.js';

type Insert = (trx: unknown, received: unknown, maxRetryCount: number) => Promise<void>;
type Run = (runner: unknown, sql: string, bindings?: readonly unknown[]) => Promise<unknown>;

const { changeRows, selectRows } = built('message-table/database/rows') as { changeRows: Run; selectRows: Run };

const OLD = `
  SELECT id FROM consumer_message
   WHERE status = 'SUCCESS' AND success_time < NOW(3) - INTERVAL 500000 MICROSECOND
   ORDER BY id LIMIT 500 FOR UPDATE SKIP LOCKED`;
const COPY = `INSERT INTO consumer_message_archive SELECT m.*, NOW(3) FROM consumer_message m WHERE m.id IN (?)`;
const REMOVE = 'DELETE FROM consumer_message WHERE id IN (?)';

replace('message-table/consumer/store/notes', 'insertSuccess', (original: Insert): Insert => async (trx, ...rest) => {
  const old = ((await selectRows(trx, OLD)) as { id: string }[]).map(({ id }) => BigInt(id));
  if (old.length > 0) {
    await changeRows(trx, COPY, [old]);
    await changeRows(trx, REMOVE, [old]);
  }
  await original(trx, ...rest);
});
