import type { Database } from '../../database/database.js';
import { changeRows, selectRows, type Runner } from '../../database/rows.js';
import { repeatOnRace } from '../../database/transaction.js';
import { backOff, type RetryPolicy } from '../../producer/store/retry-policy.js';
import type { ConsumerStatus, Received } from '../consumer-message.js';
import { storeBody } from './content.js';

/** Notes about messages that are new here. Only plain INSERTs: an upsert would overwrite what somebody else knows. */

const KNOWN = `
  SELECT message_id AS messageId, status
    FROM consumer_message
   WHERE message_id IN (?) AND consumer = ?`;

/** Which of these messages have a note already, and what it says. */
export async function findKnown(
  runner: Runner,
  consumer: string,
  messageIds: readonly string[],
): Promise<Map<string, ConsumerStatus>> {
  const rows = await selectRows<{ messageId: string; status: ConsumerStatus }>(runner, KNOWN, [messageIds, consumer]);
  return new Map(rows.map(({ messageId, status }) => [messageId, status]));
}

const COLUMNS = `
    (message_id, consumer, received_by, exchange, routing_key, headers, content, content_encoding, max_retry_count,
     status, retry_count, next_retry_time, error_msg, first_consume_time, last_consume_time, success_time)`;

const SUCCESS_ROW = `(?, ?, ?, ?, ?, ?, ?, ?, ?, 'SUCCESS', 0, NULL, NULL, NOW(3), NOW(3), NOW(3))`;

/**
 * The note goes in first and in the same transaction as the effect, so that either both are there or neither.
 *
 * @throws the driver's error; a duplicate of the key `one_effect` means that somebody else was quicker
 */
export async function insertSuccess(trx: Runner, received: readonly Received[], maxRetryCount: number): Promise<void> {
  const rows = received.map(() => SUCCESS_ROW).join(', ');
  const bindings = received.flatMap((message) => bindingsOf(message, maxRetryCount));
  await changeRows(trx, `INSERT INTO consumer_message ${COLUMNS} VALUES ${rows}`, bindings);
}

const retryRow = (attempts: 0 | 1): string =>
  `(?, ?, ?, ?, ?, ?, ?, ?, ?, 'PENDING_RETRY', ${String(attempts)}, ${backOff('0')}, ?, NOW(3), NOW(3), NULL)`;
const RETRY_ROW = retryRow(1);
const PUT_ASIDE_ROW = retryRow(0);
const FAILED_ROW = `(?, ?, ?, ?, ?, ?, ?, ?, ?, 'FAILED', 1, NULL, ?, NOW(3), NOW(3), NULL)`;

export interface Failure {
  readonly to: 'PENDING_RETRY' | 'FAILED';
  readonly reason: string;
}

/**
 * Writes down a first attempt that failed.
 *
 * @throws the driver's error; a duplicate of the key `one_effect` when there is a note already
 */
export async function insertFailure(
  db: Database,
  received: Received,
  { to, reason }: Failure,
  { maxRetryCount, retry }: { maxRetryCount: number; retry: RetryPolicy },
): Promise<void> {
  const gap = to === 'PENDING_RETRY' ? [retry.retryBaseMs, retry.retryMaxMs] : [];
  const sql = `INSERT INTO consumer_message ${COLUMNS} VALUES ${to === 'PENDING_RETRY' ? RETRY_ROW : FAILED_ROW}`;
  await repeatOnRace(db, () => changeRows(db.knex, sql, [...bindingsOf(received, maxRetryCount), ...gap, reason]));
}

/**
 * Writes down a message that is owed its effect and has used no attempt.
 *
 * @throws the driver's error; a duplicate of the key `one_effect` when there is a note already
 */
export async function insertPutAside(
  db: Database,
  received: Received,
  reason: string,
  { maxRetryCount, retry }: { maxRetryCount: number; retry: RetryPolicy },
): Promise<void> {
  const sql = `INSERT INTO consumer_message ${COLUMNS} VALUES ${PUT_ASIDE_ROW}`;
  const bindings = [...bindingsOf(received, maxRetryCount), retry.retryBaseMs, retry.retryMaxMs, reason];
  await repeatOnRace(db, () => changeRows(db.knex, sql, bindings));
}

function bindingsOf(message: Received, maxRetryCount: number): unknown[] {
  const { content, encoding } = storeBody(message.body);
  return [
    message.messageId,
    message.consumer,
    message.receivedBy,
    message.exchange,
    message.routingKey,
    JSON.stringify(message.headers),
    content,
    encoding,
    maxRetryCount,
  ];
}
