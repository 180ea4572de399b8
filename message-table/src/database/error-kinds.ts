/**
 * Which errors are the database's own trouble, and which belong to the statement.
 * The only list of server error numbers in the component.
 */

interface ServerError {
  readonly errno?: unknown;
  readonly code?: unknown;
  readonly sqlState?: unknown;
  readonly fatal?: unknown;
  readonly name?: unknown;
  readonly sqlMessage?: unknown;
  readonly message?: unknown;
}

const errorFacts = (error: unknown): ServerError => (typeof error === 'object' && error !== null ? error : {});

// 1020 is MariaDB's "Record has changed since last read" (innodb_snapshot_isolation, on since 11.6.2).
// 1205 rolls back one statement only, so the caller must roll the rest back before it repeats.
// 1412: the table was altered under an older snapshot; 3101: a cluster chose another transaction at COMMIT.
const TRANSACTION_LOST_A_RACE = new Set([1020, 1205, 1213, 1412, 3101]);

// prettier-ignore
const SERVER_CANNOT_NOW = new Set([
  3, 1021, 1026, 1030, 1037, 1041, 1114, 1206, // disk, table, memory or locks are full, or the storage fails
  1040, 1129, 1203, 1226, 1637, // too many connections, errors, or transactions
  1047, 1053, 1079, 1080, // not ready yet, or shutting down
  1130, 1135, 1820, 1862, 3118, 3159, 4151, // not let in: the host, no thread, the password, the account, no TLS
  1152, 1158, 1159, 1160, 1161, // the connection broke below the server
  2003, 2006, 2013, 9001, // a proxy has no server behind it, or lost it
  1223, 1290, 1792, 1836, 1874, 3032, // read-only, or offline
  3100, // the cluster's own check failed before COMMIT
  1180, // COMMIT failed inside the server
  1317, 1927, 1969, 3024, 3169, 4031, // killed, or out of time
  1044, 1045, 1049, 1142, 1143, 1227, // no access, or no such database: a set-up in progress, never a message's fault
  1054, 1146, // no such column or table: the schema is older than the program
]);

// prettier-ignore
const COMMIT_LEFT_OPEN = new Set([1053, 1152, 1158, 1159, 1160, 1161, 1180, 1317, 1927, 1969, 2006, 2013, 3024, 3169, 4031]);
const SERVER_NUMBERS_FROM = 1000;

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

// Not 1792, which a transaction may have asked for itself.
const TAKES_NO_WRITES = new Set([1290, 1836, 1874, 3032]);

/** True when this server takes no writes. After a fail-over another one does, under the same name. */
export function takesNoWrites(error: unknown): boolean {
  const { errno } = errorFacts(error);
  return typeof errno === 'number' && TAKES_NO_WRITES.has(errno);
}

/** True when the connection, not the statement, is what failed. */
export function connectionLost(error: unknown): boolean {
  const { code, fatal } = errorFacts(error);
  return fatal === true || (typeof code === 'string' && CONNECTION_CODES.has(code));
}

/** True when COMMIT was answered with an error after which nothing can have been stored. */
export function commitRefused(error: unknown): boolean {
  const { errno } = errorFacts(error);
  if (connectionLost(error) || typeof errno !== 'number') return false;
  return errno >= SERVER_NUMBERS_FROM && !COMMIT_LEFT_OPEN.has(errno);
}

/** True for everything that says nothing about the message being handled. */
export function isDatabaseTrouble(error: unknown): boolean {
  const { errno, name, code } = errorFacts(error);
  if (name === 'KnexTimeoutError' || code === 'COMMIT_UNKNOWN') return true;
  if (typeof errno === 'number' && SERVER_CANNOT_NOW.has(errno)) return true;
  return lostARace(error) || connectionLost(error);
}

/** Not supported, wrong data, a constraint, wrong syntax or a wrong name. */
const WRONG_STATEMENT = /^(?:0A|2[123]|42)/;

/** True when the server says what is wrong with the statement, or with the rows that it meets: no waiting cures that. */
export function statementIsWrong(error: unknown): boolean {
  const { sqlState } = errorFacts(error);
  return typeof sqlState === 'string' && WRONG_STATEMENT.test(sqlState) && !isDatabaseTrouble(error);
}

/** Values or constraints; and what is in other classes: a row or a packet too large, a bad character, a CHECK. */
const WRONG_VALUES = /^2[23]/;
const VALUES_REFUSED = new Set([1118, 1153, 1366, 3819]);

/** True when the server says that these values do not fit the table: the same row will never be stored. */
export function valuesRefused(error: unknown): boolean {
  const { errno, sqlState } = errorFacts(error);
  if (typeof errno === 'number' && VALUES_REFUSED.has(errno)) return true;
  return typeof sqlState === 'string' && WRONG_VALUES.test(sqlState) && !isDatabaseTrouble(error);
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

/** The statement names a table that this database does not have. */
export const noSuchTable = (error: unknown): boolean => errorFacts(error).errno === 1146;

/** The account lacks the right to read what the statement reads. */
export function mayNotLook(error: unknown): boolean {
  const { errno } = errorFacts(error);
  return errno === 1044 || errno === 1142 || errno === 1143;
}
