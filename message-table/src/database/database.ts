import knex, { type Knex } from 'knex';

import { DEFAULT_OPTIONS } from '../default-options.js';
import type { MessageTableEvents } from '../observe/events.js';
import { connectionOptions, sessionStatements } from './connection.js';
import { DeadlineClient, type ClientSettings } from './mysql-client.js';

export interface DatabaseOptions {
  /** `mysql://user:password@host:port/database`, for MySQL and MariaDB alike. */
  readonly url: string;
  /** Where everything that uses this database tells what happens. */
  readonly events: MessageTableEvents;
  /** Connections at most. Must be larger than the transactions that can be open at once, or they wait for each other; the server holds each. */
  readonly poolMax?: number;
  /** How long any one statement may take before its connection is destroyed. Shorter: slow statements fail. */
  readonly deadlineMs?: number;
  /** How long a statement waits for a row lock. Longer: one stuck transaction keeps others waiting longer. */
  readonly lockWaitS?: number;
  /** How long a caller waits for a free connection. Longer: callers queue rather than fail. */
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

const say = (): void => undefined;
/** knex would print on the console what its callers are told anyway. */
const SILENT = { warn: say, error: say, deprecate: say, debug: say };

/** Opens no connection yet: a server that is down shows at the first query, and again at none after it is back. */
export function openDatabase(given: DatabaseOptions): Database {
  const options = { ...DEFAULT_OPTIONS.database, ...given };
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
