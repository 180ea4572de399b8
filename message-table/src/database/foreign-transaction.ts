import type { Connection, ResultSetHeader } from 'mysql2/promise';

import { MessageTableError } from '../errors.js';
import type { Runner } from './rows.js';
import { isOurs, type Transaction } from './transaction.js';

// Every answer to a statement without rows carries these; MySQL has no variable like MariaDB's @@in_transaction.
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;

/** A transaction on a plain mysql2 connection, opened and ended by the caller. */
export class ForeignTransaction implements Runner {
  constructor(private readonly connection: Connection) {}

  /** The connection itself: a pool wraps it anew each time that it hands it out. */
  get line(): object {
    return (this.connection as { readonly connection?: object }).connection ?? this.connection;
  }

  raw(sql: string, bindings: readonly unknown[]): Promise<unknown> {
    return this.connection.query(sql, [...bindings]);
  }

  /** With autocommit off the next statement opens one, if none is open. */
  async isOpen(): Promise<boolean> {
    const [{ serverStatus }] = await this.connection.query<ResultSetHeader>('DO 0');
    return (serverStatus & IN_TRANSACTION) !== 0 || (serverStatus & AUTOCOMMIT) === 0;
  }
}

/** Any transaction that a message can be accepted in: of {@link runInTransaction}, of any knex, of a connection. */
export type AnyTransaction = Transaction | ForeignTransaction;

/**
 * Lets a message share the fate of a transaction that was opened on a connection of mysql2 (`mysql2/promise`), whose
 * default database is the one with the message tables. A pool does not compile: its next statement could run anywhere.
 */
export const fromConnection = (connection: Connection & { readonly getConnection?: never }): ForeignTransaction =>
  new ForeignTransaction(connection);

/**
 * Looks whether a transaction that is not ours is open, as far as anybody can tell.
 *
 * @throws MessageTableError `NO_TRANSACTION`: what is written now would be committed by itself; `TRANSACTION_ENDED`
 */
export async function assertOpen(trx: AnyTransaction): Promise<void> {
  if (isOurs(trx)) return;
  if (trx instanceof ForeignTransaction) {
    if (!(await trx.isOpen())) throw new MessageTableError('NO_TRANSACTION', 'The connection is in no transaction');
    return;
  }
  // A pool does not compile here, but not everybody compiles.
  if (trx.isTransaction !== true) {
    throw new MessageTableError('NO_TRANSACTION', 'A message is accepted in a transaction, and this is a pool');
  }
  if (trx.isCompleted()) throw new MessageTableError('TRANSACTION_ENDED', 'This transaction has ended');
}
