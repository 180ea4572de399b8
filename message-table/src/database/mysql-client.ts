import type { Connection, ConnectionOptions } from 'mysql2';

import MySQL2Client = require('knex/lib/dialects/mysql2/index.js');

import { MessageTableError } from '../errors.js';

/** What {@link openDatabase} hands to the client through knex's configuration. */
export interface ClientSettings {
  readonly session: readonly string[];
  readonly deadlineMs: number;
  readonly onDestroyed: (reason: string, threadId: number | null) => void;
}

interface Statement {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  response?: unknown;
}

/**
 * knex's MySQL client with two additions that no option of knex gives: session settings that are in
 * force before a connection is first used, and a deadline on every statement (BEGIN and COMMIT
 * included) that destroys the connection. Without it a half-open socket holds its caller, and the
 * pool's place, until the kernel gives up after minutes.
 */
export class DeadlineClient extends MySQL2Client {
  private get settings(): ClientSettings {
    return this.config['counterfoil'] as ClientSettings;
  }

  override async acquireRawConnection(): Promise<Connection> {
    const connection = await super.acquireRawConnection();
    try {
      for (const sql of this.settings.session) await this._query(connection, { sql });
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  override _query(connection: Connection, statement: Statement | string): Promise<Statement> {
    const { deadlineMs } = this.settings;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const late = new MessageTableError(
          'DB_DEADLINE',
          `The database gave no answer within ${String(deadlineMs)} ms`,
        );
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

  /** A polite close would wait for the server's answer; nothing is open on a connection that the pool lets go. */
  override destroyRawConnection(connection: Connection): Promise<void> {
    connection.destroy();
    return Promise.resolve();
  }

  private destroyNow(connection: Connection, reason: Error): void {
    const threadId = connection.threadId ?? null;
    Object.assign(connection, { __knex__disposed: reason });
    connection.destroy();
    this.settings.onDestroyed(reason.message, threadId);
    if (threadId !== null) this.killOnServer(threadId);
  }

  /**
   * Best effort: a statement that waits for a lock goes on inside the server after its client is gone,
   * and keeps its locks. A server that cannot be reached ends it by its own time-outs.
   */
  private killOnServer(threadId: number): void {
    const options: ConnectionOptions = { ...this.connectionSettings, connectTimeout: 1000 };
    const killer: Connection = this.driver.createConnection(options);
    killer.on('error', () => undefined);
    killer.query(`KILL ${String(threadId)}`, () => {
      killer.destroy();
    });
    setTimeout(() => {
      killer.destroy();
    }, 2000).unref();
  }
}
