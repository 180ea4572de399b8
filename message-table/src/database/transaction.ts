import { setTimeout as sleep } from 'node:timers/promises';

import type { Knex } from 'knex';

import { MessageTableError, toError } from '../errors.js';
import type { Database } from './database.js';
import { commitRefused, lostARace } from './error-kinds.js';

/** A transaction, never a pool: passing the pool where a message must share the caller's fate does not compile. */
export type Transaction = Knex.Transaction;

type Hook = () => void;
interface Hooks {
  readonly afterCommit: Hook[];
  readonly afterRollback: Hook[];
}

const hooksByTransaction = new WeakMap<Transaction, Hooks>();

/** True for a transaction that {@link runInTransaction} opened: only these can say when they committed. */
export const isOurs = (trx: Transaction): boolean => hooksByTransaction.has(trx);

/** Runs once the transaction has committed, in the order of registration; never when it rolled back. */
export function afterCommit(trx: Transaction, hook: Hook): void {
  hooksOf(trx).afterCommit.push(hook);
}

/** Runs when the transaction did not certainly commit: rolled back, or its COMMIT stayed unanswered. */
export function afterRollback(trx: Transaction, hook: Hook): void {
  hooksOf(trx).afterRollback.push(hook);
}

function hooksOf(trx: Transaction): Hooks {
  const hooks = hooksByTransaction.get(trx);
  if (hooks === undefined) throw new TypeError('Hooks need a transaction opened by runInTransaction');
  return hooks;
}

export interface TransactionOptions {
  /** How often the whole transaction is tried when it loses a race (1205, 1213, 1020). */
  readonly attempts?: number;
}

/**
 * Runs `work` in one transaction. When it loses a race, the whole of it is rolled back and repeated, so
 * `work` must have no effect outside the transaction but through {@link afterCommit}.
 *
 * @throws what `work` threw, after the rollback; the driver's error when nothing was stored;
 *   {@link MessageTableError} `COMMIT_UNKNOWN` when COMMIT was sent and stayed unanswered.
 */
export function runInTransaction<T>(
  db: Database,
  work: (trx: Transaction) => Promise<T>,
  { attempts = 5 }: TransactionOptions = {},
): Promise<T> {
  return repeatOnRace(db, () => runOnce(db, work), attempts);
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
  const hooks: Hooks = { afterCommit: [], afterRollback: [] };
  hooksByTransaction.set(trx, hooks);
  const result = await commitOrRollBack(db, trx, work).catch((error: unknown) => {
    runHooks(db, hooks.afterRollback);
    throw error;
  });
  runHooks(db, hooks.afterCommit);
  return result;
}

/** What is committed stays a success: a hook that throws is a bug to report, and keeps no other hook from running. */
function runHooks(db: Database, hooks: readonly Hook[]): void {
  for (const hook of hooks) {
    try {
      hook();
    } catch (error) {
      db.events.emit('loopFailed', { loop: 'after-commit', error: toError(error) });
    }
  }
}

async function commitOrRollBack<T>(db: Database, trx: Transaction, work: (trx: Transaction) => Promise<T>): Promise<T> {
  try {
    const result = await work(trx);
    await commit(db, trx);
    return result;
  } finally {
    if (!trx.isCompleted()) await Promise.resolve(trx.rollback()).catch(() => undefined);
  }
}

const codeOf = (error: unknown): string => {
  const { code, errno } = error as { code?: string; errno?: number };
  return code ?? String(errno);
};

/** knex's commit() resolves even when COMMIT failed; the transaction's own promise tells. */
async function commit(db: Database, trx: Transaction): Promise<void> {
  try {
    await trx.commit();
    await trx.executionPromise;
  } catch (error) {
    if (commitRefused(error)) throw error;
    db.events.emit('commitUnknown', { reason: toError(error).message });
    throw new MessageTableError('COMMIT_UNKNOWN', 'COMMIT was sent and not answered; the rows may be there', {
      cause: error,
    });
  }
}
