/** Removes: note and effect share a transaction. The note is written after the effect has committed, unless a crash comes between. */
import { replace } from './replace.js';

type Insert = (trx: unknown, received: unknown, maxRetryCount: number) => Promise<void>;
type Work = (trx: unknown) => Promise<unknown>;
type Run = (db: { readonly knex: unknown }, work: Work, options?: unknown) => Promise<unknown>;

const owed = new WeakMap<object, (pool: unknown) => Promise<void>>();

replace(
  'message-table/consumer/store/notes',
  'insertSuccess',
  (original: Insert): Insert =>
    (trx, received, maxRetryCount) => {
      owed.set(trx as object, (pool) => original(pool, received, maxRetryCount));
      return Promise.resolve();
    },
);

replace('message-table/database/transaction', 'runInTransaction', (original: Run): Run => async (db, work, options) => {
  const opened: object[] = [];
  const result = await original(
    db,
    (trx) => {
      opened.push(trx as object);
      return work(trx);
    },
    options,
  );
  // The last is the one that committed.
  for (const trx of opened.slice(-1)) await owed.get(trx)?.(db.knex);
  return result;
});
