import { AsyncLocalStorage } from 'node:async_hooks';

import { MessageTableError } from '../errors.js';
import type { Database } from './database.js';
import type { OwnTransaction } from './own-transaction.js';
import type { Transaction } from './transaction.js';

/** The transactions that the running code is inside of, the innermost first; of each database one at most. */
interface Inside {
  readonly own: OwnTransaction;
  readonly around: Inside | undefined;
}

const inside = new AsyncLocalStorage<Inside | undefined>();

/** What `work` calls, and whatever it awaits, is inside of this transaction. */
export const runInside = <T>(own: OwnTransaction, work: () => T): T =>
  inside.run({ own, around: inside.getStore() }, work);

/**
 * Runs `work` as if no transaction were open around it: for what outlives the caller or does not belong to it alone,
 * such as a loop that is started, or work that is gathered from several callers.
 */
export const outsideTransactions = <T>(work: () => T): T =>
  inside.getStore() === undefined ? work() : inside.run(undefined, work);

/** The one of this database, or null outside of any. It may have ended: work can outlive the transaction it began in. */
export function findOwn(db: Database): OwnTransaction | null {
  for (let at = inside.getStore(); at !== undefined; at = at.around) if (at.own.db === db) return at.own;
  return null;
}

/**
 * The transaction of this database that the running code is inside of; the pool is never given in its place.
 *
 * @throws MessageTableError `NO_TRANSACTION` outside of {@link runInTransaction}; `TRANSACTION_ENDED` in work that
 *   was not awaited and has outlived its transaction
 */
export function currentTransaction(db: Database): Transaction {
  const own = findOwn(db);
  if (own === null) throw new MessageTableError('NO_TRANSACTION', 'Call it from inside runInTransaction');
  own.assertOpen();
  return own.trx;
}
