import type { ConnectionOptions } from 'mysql2';

/**
 * Ids are 64-bit, so numbers of that width arrive as strings; times are UTC on both sides.
 *
 * @param connectTimeoutMs how long the TCP connect and the handshake may take
 */
export function connectionOptions(url: string, connectTimeoutMs: number): ConnectionOptions {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  if (protocol !== 'mysql:' && protocol !== 'mariadb:') {
    throw new Error(`A database URL starts with mysql://, this one with ${protocol}//`);
  }
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 3306 : Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    connectTimeout: connectTimeoutMs,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    bigNumberStrings: true,
    multipleStatements: false,
  };
}

/**
 * What every session says before its first use.
 *
 * READ COMMITTED: at REPEATABLE READ the claim's range scan also locks gaps, and new orders wait for it.
 * The time-outs end what a client that vanished would otherwise hold. A list of 1000 values (500 fences) is not to become
 * a join with a temporary table, as MariaDB would have it: nobody knows in which order that locks.
 * A server may be set up to give sessions no autocommit, chained transactions, or a character set that nobody asked for:
 * what was acknowledged would not be stored. The collation is the one of the driver's utf8mb4; without it each server
 * would take its own default.
 */
export function sessionStatements(lockWaitS: number): string[] {
  return [
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    `SET NAMES utf8mb4 COLLATE utf8mb4_general_ci, autocommit = 1, completion_type = 'NO_CHAIN',
         time_zone = '+00:00', innodb_lock_wait_timeout = ${String(lockWaitS)}, wait_timeout = 60,
         sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'
         /*M!100600 , idle_transaction_timeout = 30, in_predicate_conversion_threshold = 0 */`,
  ];
}
