import type { Connection, ConnectionOptions } from 'mysql2';

import MySQL2Client = require('knex/lib/dialects/mysql2/index.js');

import { MessageTableError, toError } from '../errors.js';
import { takesNoWrites } from './error-kinds.js';
import { killThread } from './kill-thread.js';
import { leavesDoubt, OpenTransaction } from './open-transaction.js';

/** What {@link openDatabase} hands to the client through knex's configuration. */
export interface ClientSettings {
  readonly session: readonly string[];
  readonly deadlineMs: number;
  readonly onDestroyed: (reason: string, threadId: number | null) => void;
}

export interface Statement {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  response?: unknown;
}

/** Why a statement is not sent, or null. */
export type Refusal = (statement: Statement | string) => MessageTableError | null;

/** For a client's configuration, from where the clients of all its savepoints have it. */
export const refusing = (refusal: Refusal): { readonly counterfoilRefusal: Refusal } => ({
  counterfoilRefusal: refusal,
});

interface Line {
  readonly transaction: OpenTransaction;
  readonly openedMs: number;
  /** Resolves when the statement before has been answered. */
  turn: Promise<unknown>;
}

const lines = new WeakMap<Connection, Line>();

/** How often transactions on this connection went back to a savepoint. */
export const partsUndoneOn = (connection: object): number => lineOf(connection as Connection).transaction.partsUndone;

/** What the server or the driver said, before knex put the statement in front of it. */
const saidAtFirst = new WeakMap<Error, string>();

/**
 * knex's MySQL client with what no option of knex gives: session settings that are in force before a connection is
 * first used; a deadline on every statement (BEGIN and COMMIT included) that destroys the connection, for a half-open
 * socket otherwise holds its caller and the pool's place until the kernel gives up after minutes; and one statement of
 * a connection at a time, so that nothing follows a dead-lock out of its transaction.
 */
export class DeadlineClient extends MySQL2Client {
  private get settings(): ClientSettings {
    return this.config['counterfoil'] as ClientSettings;
  }

  /** Whatever number a server or a proxy refuses it with, that says nothing about what the connection was wanted for. */
  override async acquireRawConnection(): Promise<Connection> {
    let connection: Connection | undefined;
    try {
      connection = await super.acquireRawConnection();
      for (const sql of this.settings.session) await this._query(connection, { sql });
      return connection;
    } catch (error) {
      connection?.destroy();
      throw Object.assign(toError(error), { fatal: true });
    }
  }

  /** knex writes the statement with all its values before the message, the driver beside it: not for logs and clients. */
  override async query(connection: Connection, statement: Statement | string): Promise<unknown> {
    const refusal = this.config['counterfoilRefusal'] as Refusal | undefined;
    const because = refusal?.(statement) ?? null;
    if (because !== null) throw because;
    try {
      return await super.query(connection, statement);
    } catch (error) {
      if (error instanceof Error) {
        error.message = saidAtFirst.get(error) ?? error.message;
        Reflect.deleteProperty(error, 'sql');
      }
      throw error;
    }
  }

  override _query(connection: Connection, statement: Statement | string): Promise<Statement> {
    const line = lineOf(connection);
    const answered = line.turn.then(() => this.inTurn(connection, line.transaction, statement));
    line.turn = answered.catch((error: unknown) => {
      if (error instanceof Error && !saidAtFirst.has(error)) saidAtFirst.set(error, error.message);
    });
    return answered;
  }

  /** A polite close would wait for the server's answer; nothing is open on a connection that the pool lets go. */
  override destroyRawConnection(connection: Connection): Promise<void> {
    connection.destroy();
    return Promise.resolve();
  }

  private async inTurn(
    connection: Connection,
    transaction: OpenTransaction,
    statement: Statement | string,
  ): Promise<Statement> {
    const sql = typeof statement === 'string' ? statement : statement.sql;
    const verdict = transaction.ask(sql);
    if (verdict.do === 'roll-back') await this.inTurn(connection, transaction, 'ROLLBACK');
    if (verdict.do !== 'send') throw verdict.because;
    try {
      const answer = await this.withDeadline(connection, statement);
      transaction.note(sql, null);
      return answer;
    } catch (error) {
      transaction.note(sql, toError(error));
      if (leavesDoubt(sql, error)) this.destroyNow(connection, toError(error));
      else if (takesNoWrites(error)) leaveSoon(connection, toError(error));
      throw error;
    }
  }

  private withDeadline(connection: Connection, statement: Statement | string): Promise<Statement> {
    const { deadlineMs } = this.settings;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const text = `The database gave no answer within ${String(deadlineMs)} ms`;
        const late = new MessageTableError('DB_DEADLINE', text);
        this.destroyNow(connection, late);
        reject(late);
      }, deadlineMs);
      super
        ._query(connection, statement)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
        });
    });
  }

  private destroyNow(connection: Connection, reason: Error): void {
    // Undefined before the handshake, whatever its type says.
    const threadId = (connection.threadId as number | undefined) ?? null;
    Object.assign(connection, { __knex__disposed: reason });
    connection.destroy();
    this.settings.onDestroyed(reason.message, threadId);
    if (threadId === null) return;
    // Named, because knex hides the password from copies.
    const { password = '' } = this.connectionSettings;
    const options: ConnectionOptions = { ...this.connectionSettings, password, connectTimeout: 1_000 };
    killThread(this.driver, options, { id: threadId, ageMs: performance.now() - lineOf(connection).openedMs });
  }
}

/** A server that takes no writes at all would otherwise be left and met again with every statement. */
const LEFT_AFTER_MS = 1_000;

/**
 * The pool lets it go when it is free. After a fail-over the name leads to another server, but a connection that is in use
 * stays where it is, for as long as it is: to a server that takes no writes any more.
 */
export function leaveSoon(connection: Connection, reason: Error): void {
  if (performance.now() - lineOf(connection).openedMs < LEFT_AFTER_MS) return;
  Object.assign(connection, { __knex__disposed: reason });
}

function lineOf(connection: Connection): Line {
  let line = lines.get(connection);
  if (line === undefined) {
    line = { transaction: new OpenTransaction(), openedMs: performance.now(), turn: Promise.resolve() };
    lines.set(connection, line);
  }
  return line;
}
