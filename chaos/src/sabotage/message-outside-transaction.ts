/** Removes: order and message share a transaction. The message is committed by itself, on another connection. */
import { replace } from './replace.js';

type Create = (options: { readonly db: { readonly knex: unknown } }) => unknown;
type Insert = (runner: unknown, rows: unknown) => Promise<void>;

let pool: unknown;

replace('message-table/message-table', 'createMessageTable', (original: Create): Create => (options) => {
  pool = options.db.knex;
  return original(options);
});

replace(
  'message-table/producer/store/insert',
  'insertRows',
  (original: Insert): Insert =>
    (_trx, rows) =>
      original(pool, rows),
);
