import knex, { type Knex } from 'knex';

import type { MessageTableEvents } from '../observe/events.js';
import { connectionOptions, sessionStatements } from './connection.js';
import { DeadlineClient, type ClientSettings } from './mysql-client.js';

export interface DatabaseOptions {
  /** `mysql://user:password@host:port/database`, for MySQL and MariaDB alike. */
  readonly url: string;
  readonly events: MessageTableEvents;
  /** Connections at most. Must be larger than the transactions that can be open at once, or they wait for each other. */
  readonly poolMax?: number;
  /** How long any one statement may take before its connection is destroyed, ms. */
  readonly deadlineMs?: number;
  /** How long a statement waits for a row lock, seconds. */
  readonly lockWaitS?: number;
  /** How long a caller waits for a free connection, ms. */
  readonly acquireTimeoutMs?: number;
}

/** A pool of connections to one database, all with the same session settings. */
export interface Database {
  readonly knex: Knex;
  readonly events: MessageTableEvents;
  readonly options: Required<DatabaseOptions>;
  /** Resolves when the server answers a query, rejects with the driver's error. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const DEFAULTS = { poolMax: 10, deadlineMs: 10_000, lockWaitS: 5, acquireTimeoutMs: 2_000 };

const say = (): void => undefined;
/** knex would print on the console what its callers are told anyway. */
const SILENT = { warn: say, error: say, deprecate: say, debug: say };

/** Opens no connection yet: a server that is down shows at the first query, and again at none after it is back. */
export function openDatabase(given: DatabaseOptions): Database {
  const options = { ...DEFAULTS, ...given };
  const counterfoil: ClientSettings = {
    session: sessionStatements(options.lockWaitS),
    deadlineMs: options.deadlineMs,
    onDestroyed: (reason, threadId) => options.events.emit('connectionDestroyed', { reason, threadId }),
  };
  const config: Knex.Config & { counterfoil: ClientSettings } = {
    client: DeadlineClient as unknown as typeof Knex.Client,
    // knex would ask each pool's first connection, without a deadline and on behalf of all others.
    version: 'latest',
    connection: connectionOptions(options.url, options.deadlineMs) as unknown as Knex.MySql2ConnectionConfig,
    acquireConnectionTimeout: options.acquireTimeoutMs,
    // Idle connections leave before the server's own wait_timeout (60 s) can cut one that is being taken.
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 30_000, propagateCreateError: true },
    counterfoil,
    log: SILENT,
  };
  const pool = knex(config);
  return {
    knex: pool,
    events: options.events,
    options,
    ping: () => pool.raw('SELECT 1').then(() => undefined),
    close: () => pool.destroy(),
  };
}
