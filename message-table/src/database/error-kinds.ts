/**
 * Which errors are the database's own trouble, and which belong to the statement.
 * The only list of server error numbers in the component.
 */

interface ServerError {
  readonly errno?: unknown;
  readonly code?: unknown;
  readonly fatal?: unknown;
  readonly name?: unknown;
  readonly sqlMessage?: unknown;
  readonly message?: unknown;
}

const errorFacts = (error: unknown): ServerError => (typeof error === 'object' && error !== null ? error : {});

// 1020 is MariaDB's "Record has changed since last read" (innodb_snapshot_isolation, on since 11.6.2).
// 1205 rolls back one statement only, so the caller must roll the rest back before it repeats.
const TRANSACTION_LOST_A_RACE = new Set([1020, 1205, 1213]);

const SERVER_CANNOT_NOW = new Set([
  1021, // disk full
  1040, // too many connections
  1053, // shutting down
  1114, // table is full
  1129, // host blocked after connection errors
  1152,
  1158,
  1159,
  1160,
  1161, // the connection broke below the server
  1203,
  1226, // connections or resources of this user used up
  1290,
  1836, // read-only
  1317, // query killed
  1927, // connection killed
  3169,
  4031, // session killed, or disconnected by the server
  1044,
  1045,
  1049, // no access, or no such database: a set-up in progress, never a message's fault
  1054,
  1146, // no such column or table: the schema is older than the program
]);

const CONNECTION_CODES = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'DB_DEADLINE',
  'ER_NET_READ_INTERRUPTED',
]);

/** True for a dead-lock, a lock time-out or a lost snapshot: the same transaction, repeated whole, can succeed. */
export function lostARace(error: unknown): boolean {
  const { errno } = errorFacts(error);
  return typeof errno === 'number' && TRANSACTION_LOST_A_RACE.has(errno);
}

/** True when the connection, not the statement, is what failed. */
export function connectionLost(error: unknown): boolean {
  const { code, fatal } = errorFacts(error);
  return fatal === true || (typeof code === 'string' && CONNECTION_CODES.has(code));
}

/** True for everything that says nothing about the message being handled. */
export function isDatabaseTrouble(error: unknown): boolean {
  const { errno, name, code } = errorFacts(error);
  if (name === 'KnexTimeoutError' || code === 'COMMIT_UNKNOWN') return true;
  if (typeof errno === 'number' && SERVER_CANNOT_NOW.has(errno)) return true;
  return lostARace(error) || connectionLost(error);
}

/**
 * The name of the key that an INSERT met, or null when the error is another one.
 * MySQL says `table.key`, MariaDB `key`; the duplicate value comes first in the text and may hold
 * anything, so the last `for key '…'` counts.
 */
export function duplicateKey(error: unknown): string | null {
  const { errno, sqlMessage, message } = errorFacts(error);
  if (errno !== 1062) return null;
  const text = typeof sqlMessage === 'string' ? sqlMessage : String(message);
  const found = [...text.matchAll(/for key '([^']*)'/g)].at(-1)?.[1] ?? '';
  return found.slice(found.lastIndexOf('.') + 1);
}
