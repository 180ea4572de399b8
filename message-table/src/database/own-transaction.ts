import { MessageTableError, toError } from '../errors.js';
import type { Database } from './database.js';
import { isDatabaseTrouble } from './error-kinds.js';
import { partsUndoneOn, refusing, type Refusal, type Statement } from './mysql-client.js';
import type { Transaction } from './transaction.js';

/** What it returns is not awaited; a promise that rejects is reported as one that throws. */
export type Hook = () => unknown;

/** `partUndone`: the transaction went back to a savepoint since then, so what was written before it may be gone. */
export type CommitHook = (partUndone: boolean) => unknown;

/** A transaction of ours from BEGIN to its end, and the blocks that have joined it. */
export class OwnTransaction {
  readonly afterCommit: Hook[] = [];
  readonly afterRollback: Hook[] = [];
  private guests = 0;
  private failure: { readonly of: unknown } | null = null;
  private isOpen = true;
  readonly commit: Ending;
  readonly rollback: Ending;

  constructor(
    readonly db: Database,
    readonly trx: Transaction,
    private readonly connection: object,
  ) {
    // Who rolled back by hand and returned would be told that it is stored, and its hooks would run.
    [this.commit, this.rollback] = takeEndings(trx);
    refuseStatements(trx, () => !this.isOpen);
  }

  /** Runs a block as a part of this transaction. When it fails nothing will be kept, whatever its caller makes of the error. */
  async join<T>(work: (trx: Transaction) => Promise<T>): Promise<T> {
    this.assertOpen();
    this.guests += 1;
    try {
      return await work(this.trx);
    } catch (error) {
      this.failure ??= { of: error };
      throw error;
    } finally {
      this.guests -= 1;
    }
  }

  whenCommitted(hook: CommitHook): void {
    const undone = partsUndoneOn(this.connection);
    this.afterCommit.push(() => hook(partsUndoneOn(this.connection) > undone));
  }

  assertOpen(): void {
    if (!this.isOpen) throw ended();
  }

  /** From now on nothing joins and no statement is taken but COMMIT or ROLLBACK. */
  close(): void {
    this.isOpen = false;
  }

  /** @throws what forbids COMMIT: it would keep a half of some block */
  assertWhole(): void {
    if (this.guests > 0) {
      const text = 'A block had joined the transaction and was not awaited; nothing is kept';
      throw new MessageTableError('TRANSACTION_IN_USE', text);
    }
    if (this.failure === null) return;
    const { of: cause } = this.failure;
    // What a repeat of the whole can mend, or is no fault of the caller's, has to stay recognizable.
    if (isDatabaseTrouble(cause)) throw toError(cause);
    const text = 'A block that had joined the transaction failed, so nothing is kept, although its error was caught';
    throw new MessageTableError('ROLLBACK_ONLY', text, { cause });
  }
}

const ended = (): MessageTableError =>
  new MessageTableError('TRANSACTION_ENDED', 'The transaction has ended; this was not awaited inside of it');

type Ending = () => PromiseLike<unknown>;

function takeEndings(trx: Transaction): readonly [commit: Ending, rollback: Ending] {
  const endings = [trx.commit.bind(trx), trx.rollback.bind(trx)] as const;
  const refuse = (): never => {
    throw refusedEnding();
  };
  Object.assign(trx, { commit: refuse, rollback: refuse });
  return endings;
}

const ENDS_IT = /^\s*(?:COMMIT|BEGIN|START\s+TRANSACTION|ROLLBACK(?!\s+(?:WORK\s+)?TO\b))\b/i;

const refusedEnding = (): MessageTableError =>
  new MessageTableError('TRANSACTION_IN_USE', 'runInTransaction ends it: return to commit, throw to roll back');

type Send = (connection: unknown, statement: unknown, ...rest: unknown[]) => Promise<unknown>;

/** knex refuses, too, once COMMIT is on its way, but without a code. Its own BEGIN, COMMIT and ROLLBACK are plain strings. */
function refuseStatements(trx: Transaction, isClosed: () => boolean): void {
  const client = trx.client as Record<'query' | 'stream', Send> & { config: object };
  const refusal: Refusal = (statement) => {
    if (typeof statement === 'string') return null;
    if (isClosed()) return ended();
    return ENDS_IT.test(statement.sql) ? refusedEnding() : null;
  };
  // The clients of its savepoints take this over.
  client.config = { ...client.config, ...refusing(refusal) };
  for (const method of ['query', 'stream'] as const) {
    const send = client[method];
    client[method] = (connection, statement, ...rest) => {
      const because = refusal(statement as Statement | string);
      return because === null ? send.call(client, connection, statement, ...rest) : Promise.reject(because);
    };
  }
}
