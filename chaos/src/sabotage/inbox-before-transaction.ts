/** Removes: note and effect share a transaction. The note is committed before the effect, which a crash then takes away. */
import { replace } from './replace.js';

type Create = (options: { readonly db: { readonly knex: unknown } }) => unknown;
type Insert = (trx: unknown, received: unknown, maxRetryCount: number) => Promise<void>;

let pool: unknown;

replace('message-table/queue-consuming', 'createQueueConsuming', (original: Create): Create => (options) => {
  pool = options.db.knex;
  return original(options);
});

replace(
  'message-table/consumer/store/notes',
  'insertSuccess',
  (original: Insert): Insert =>
    (_trx, received, maxRetryCount) =>
      original(pool, received, maxRetryCount),
);
