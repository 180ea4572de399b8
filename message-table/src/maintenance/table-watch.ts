import { lookAtInbox } from '../consumer/store/look.js';
import type { Database } from '../database/database.js';
import { oldestTransactionMs } from '../database/oldest-transaction.js';
import { lookAtOutbox } from '../producer/store/look.js';
import { createLoop, jittered, type Loop } from '../service/loop.js';

const PERIOD_MS = 5_000;
const COUNT_AT_MOST = 100_000;

/**
 * Looks at both tables of a database for the gauges of `/metrics`: what no single process can count, because it is about
 * rows that nobody works on. Costs a few index dives every five seconds; every relay may do it, all see the same.
 */
export const createTableWatch = (db: Database): Loop =>
  createLoop({
    name: 'table-watch',
    events: db.events,
    periodMs: PERIOD_MS,
    step: async () => {
      const outbox = await lookAtOutbox(db.knex, COUNT_AT_MOST);
      const inbox = await lookAtInbox(db.knex, COUNT_AT_MOST);
      db.events.emit('tablesSeen', { outbox, inbox, oldestTransactionMs: await oldestTransactionMs(db.knex) });
      return jittered(PERIOD_MS);
    },
  });
