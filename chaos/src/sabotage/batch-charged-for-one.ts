/** Removes: a lost lease is no attempt. The sweep charges retry_count, so a batch pays for the one message that took its process along. */
import { built, replace } from './replace.js';

interface DatabaseLike {
  readonly knex: unknown;
}

type Sweep = (db: DatabaseLike) => Promise<{ released: number; failed: number }>;
type Change = (runner: unknown, sql: string) => Promise<number>;

const { changeRows } = built('message-table/database/rows') as { changeRows: Change };

const ENDED = `WHERE status = 'SENDING' AND next_retry_time <= NOW(3)`;

const CHARGE = `
  UPDATE producer_message
     SET status = 'PENDING', next_retry_time = NOW(3), retry_count = retry_count + 1, claimed_by = NULL,
         version = version + 1
   ${ENDED} AND retry_count + 1 < max_retry_count`;

const GIVE_UP = `
  UPDATE producer_message
     SET status = 'FAILED', next_retry_time = NULL, retry_count = retry_count + 1, claimed_by = NULL,
         error_msg = 'worker-lost: no attempt is left', version = version + 1
   ${ENDED} AND retry_count + 1 >= max_retry_count`;

replace('message-table/producer/store/sweep', 'sweepProducerLeases', (): Sweep => async ({ knex }) => ({
  failed: await changeRows(knex, GIVE_UP),
  released: await changeRows(knex, CHARGE),
}));
