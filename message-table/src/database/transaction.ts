import { setTimeout as sleep } from 'node:timers/promises';

import type { Knex } from 'knex';

import { DEFAULT_OPTIONS } from '../default-options.js';
import { MessageTableError, toError } from '../errors.js';
import { findOwn, outsideTransactions, runInside } from './current-transaction.js';
import type { Database } from './database.js';
import { commitRefused, lostARace } from './error-kinds.js';
import { OwnTransaction, type CommitHook, type Hook } from './own-transaction.js';

/** A transaction, never a pool: passing the pool where a message must share the caller's fate does not compile. */
export type Transaction = Knex.Transaction;

const ownOf = new WeakMap<object, OwnTransaction>();

/** True for a transaction that {@link runInTransaction} opened: only these can say when they committed. */
export const isOurs = (trx: object): boolean => ownOf.has(trx);

/**
 * Runs once, outside of every transaction, when the transaction has committed; in the order of registration. Never when
 * it rolled back, or nobody can say. What the hook throws, or its promise rejects with, is reported as an event.
 *
 * @param hook also runs when it was registered inside a savepoint that was gone back to, and is told so
 * @throws MessageTableError `TRANSACTION_ENDED`: it would never run
 */
export function afterCommit(trx: Transaction, hook: CommitHook): void {
  openOwn(trx).whenCommitted(hook);
}

/** Runs when the transaction did not certainly commit: rolled back, or its COMMIT stayed unanswered. */
export function afterRollback(trx: Transaction, hook: Hook): void {
  openOwn(trx).afterRollback.push(hook);
}

function openOwn(trx: Transaction): OwnTransaction {
  const own = ownOf.get(trx);
  if (own === undefined) throw new TypeError('Hooks need a transaction opened by runInTransaction');
  own.assertOpen();
  return own;
}

export interface TransactionOptions {
  /** How often the whole transaction is tried when it loses a race (1205, 1213, 1020). */
  readonly attempts?: number;
}

/**
 * Runs `work` in the transaction of this database that the caller is inside of, or else in a new one. Whatever it
 * calls is inside of it as well, see {@link currentTransaction}.
 *
 * All blocks of a transaction are kept together or not at all: when one of them fails, all is rolled back, even if its
 * error was caught. When the transaction loses a race, the outermost block rolls back and repeats it whole, so `work`
 * must have no effect outside of it but through {@link afterCommit}.
 *
 * @throws what `work` threw, after the rollback; the driver's error when nothing was stored; {@link MessageTableError}:
 *   `COMMIT_UNKNOWN` when COMMIT was sent and stayed unanswered; `ROLLBACK_ONLY` when a block had failed and its error
 *   was caught; `TRANSACTION_IN_USE` when a block was not awaited; `TRANSACTION_ENDED` for such a block itself
 */
export async function runInTransaction<T>(
  db: Database,
  work: (trx: Transaction) => Promise<T>,
  { attempts = DEFAULT_OPTIONS.transaction.attempts }: TransactionOptions = {},
): Promise<T> {
  const own = findOwn(db);
  return own === null ? repeatOnRace(db, () => runOnce(db, work), attempts) : own.join(work);
}

/** Repeats what is a whole transaction (one statement by itself, too) when it loses a race. */
export async function repeatOnRace<T>(db: Database, run: () => Promise<T>, attempts = 5): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!lostARace(error) || attempt >= attempts) throw error;
      db.events.emit('transactionRetried', { code: codeOf(error), attempt });
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}

async function runOnce<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  const trx = await db.knex.transaction();
  // knex reports a failed ROLLBACK or COMMIT here as well; commit() below looks at it, a rollback need not.
  trx.executionPromise.catch(() => undefined);
  // knex hands out a transaction whose BEGIN failed; it is completed already, and its promise says why.
  if (trx.isCompleted()) await trx.executionPromise;
  const own = new OwnTransaction(db, trx, await connectionOf(trx));
  ownOf.set(trx, own);
  const result = await commitOrRollBack(own, work).catch((error: unknown) => {
    runHooks(db, own.afterRollback);
    throw error;
  });
  runHooks(db, own.afterCommit);
  return result;
}

const connectionOf = (trx: Transaction): Promise<object> =>
  (trx.client as { acquireConnection: () => Promise<object> }).acquireConnection();

/** What is committed stays a success: a hook that throws is a bug to report, and keeps no other hook from running. */
function runHooks(db: Database, hooks: readonly Hook[]): void {
  const report = (error: unknown): void => {
    db.events.emit('loopFailed', { loop: 'after-commit', error: toError(error) });
  };
  for (const hook of hooks) {
    try {
      const returned = outsideTransactions(hook);
      if (returned instanceof Promise) returned.catch(report);
    } catch (error) {
      report(error);
    }
  }
}

async function commitOrRollBack<T>(own: OwnTransaction, work: (trx: Transaction) => Promise<T>): Promise<T> {
  try {
    const result = await runInside(own, () => work(own.trx));
    own.close();
    own.assertWhole();
    await commit(own);
    return result;
  } finally {
    own.close();
    if (!own.trx.isCompleted()) await Promise.resolve(own.rollback()).catch(() => undefined);
  }
}

const codeOf = (error: unknown): string => {
  const { code, errno } = error as { code?: string; errno?: number };
  return code ?? String(errno);
};

/** knex's commit() resolves even when COMMIT failed; the transaction's own promise tells. */
async function commit(own: OwnTransaction): Promise<void> {
  try {
    await own.commit();
    await own.trx.executionPromise;
  } catch (error) {
    if (commitRefused(error)) throw error;
    own.db.events.emit('commitUnknown', { reason: toError(error).message });
    throw new MessageTableError('COMMIT_UNKNOWN', 'COMMIT was sent and not answered; the rows may be there', {
      cause: error,
    });
  }
}
