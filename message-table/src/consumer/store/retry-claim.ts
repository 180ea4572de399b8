import type { Database } from '../../database/database.js';
import { asNumber, changeRows, selectRows } from '../../database/rows.js';
import { repeatOnRace, runInTransaction, type Transaction } from '../../database/transaction.js';
import { backOff, type RetryPolicy } from '../../producer/store/retry-policy.js';
import { asRetryClaim, type RetryClaim } from '../consumer-message.js';
import { headersIn } from '../headers.js';
import { restoreBody } from './content.js';
import type { Failure } from './notes.js';

/**
 * The moves of a note that is owed an effect. Each is fenced by status and version: a missing fence here would
 * deduct twice.
 */

const CLAIM_COLUMNS = `
  SELECT id, version, message_id AS messageId, consumer, received_by AS receivedBy, exchange, routing_key AS routingKey,
         headers, content, content_encoding AS encoding, retry_count AS retryCount, max_retry_count AS maxRetryCount,
         lost_count AS lostCount
    FROM consumer_message`;

// Only the effects that this process has: another service's notes in the same table are not held up here.
const SELECT_DUE = `${CLAIM_COLUMNS} FORCE INDEX (for_retry)
   WHERE status = 'PENDING_RETRY' AND next_retry_time <= NOW(3) AND consumer IN (?)
   ORDER BY next_retry_time, id
   LIMIT 1
     FOR UPDATE SKIP LOCKED`;

const SELECT_COPY = `${CLAIM_COLUMNS}
   WHERE message_id = ? AND consumer = ? AND status = 'RETRYING' AND version = ?`;

const MARK_RETRYING = `
  UPDATE consumer_message FORCE INDEX (PRIMARY)
     SET status = 'RETRYING', next_retry_time = NOW(3) + INTERVAL ? MICROSECOND, last_consume_time = NOW(3), version = version + 1
   WHERE id = ? AND status = 'PENDING_RETRY' AND version = ?`;

interface DueRow {
  readonly id: string;
  readonly version: number;
  readonly messageId: string;
  readonly consumer: string;
  readonly receivedBy: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly headers: string | null;
  readonly content: string;
  readonly encoding: 'utf8' | 'base64';
  readonly retryCount: number;
  readonly maxRetryCount: number;
  readonly lostCount: number;
}

export interface RetryClaiming {
  /** The effects whose notes are taken. */
  readonly consumers: readonly string[];
  /** How long the claim is good for. */
  readonly leaseMs: (row: { readonly receivedBy: string; readonly lostCount: number }) => number;
}

/** PENDING_RETRY → RETRYING for one due note; null when nothing is due. */
export function claimForRetry(db: Database, { consumers, leaseMs }: RetryClaiming): Promise<RetryClaim | null> {
  return runInTransaction(db, async (trx) => {
    const [row] = await selectRows<DueRow>(trx, SELECT_DUE, [consumers]);
    if (row === undefined) return null;
    await changeRows(trx, MARK_RETRYING, [leaseMs(row) * 1000, asNumber(row.id), row.version]);
    return toClaim(row, row.version + 1);
  });
}

/** The claim that a republished copy belongs to; null when it is over. */
export async function claimOfCopy(
  db: Database,
  { messageId, consumer }: { readonly messageId: string; readonly consumer: string },
  version: number,
): Promise<RetryClaim | null> {
  const [row] = await selectRows<DueRow>(db.knex, SELECT_COPY, [messageId, consumer, version]);
  return row === undefined ? null : toClaim(row, row.version);
}

function toClaim({ content, encoding, headers, ...row }: DueRow, version: number): RetryClaim {
  const { id, retryCount, maxRetryCount, messageId, consumer, receivedBy, exchange, routingKey } = row;
  const received = {
    ...{ messageId, consumer, receivedBy, exchange, routingKey },
    headers: headersIn(headers),
    body: restoreBody({ content, encoding }),
  };
  return asRetryClaim({ id, version, retryCount, maxRetryCount, received });
}

const WHILE_HELD = `WHERE id = ? AND status = 'RETRYING' AND version = ?`;

const SUCCEED = `
  UPDATE consumer_message
     SET status = 'SUCCESS', success_time = NOW(3), last_consume_time = NOW(3), next_retry_time = NULL, lost_count = 0,
         error_msg = NULL, version = version + 1
   ${WHILE_HELD}`;

/** RETRYING → SUCCESS, in the transaction of the effect. 'lease-lost': roll back, somebody else owns the note. */
export async function markSuccess(trx: Transaction, claim: RetryClaim): Promise<'done' | 'lease-lost'> {
  return (await changeRows(trx, SUCCEED, [asNumber(claim.id), claim.version])) === 1 ? 'done' : 'lease-lost';
}

const TRY_AGAIN = `
  UPDATE consumer_message
     SET next_retry_time = ${backOff('retry_count')}, status = 'PENDING_RETRY', retry_count = retry_count + 1,
         lost_count = 0, error_msg = ?, last_consume_time = NOW(3), version = version + 1
   ${WHILE_HELD}`;

const GIVE_UP = `
  UPDATE consumer_message
     SET status = 'FAILED', next_retry_time = NULL, retry_count = retry_count + 1, lost_count = 0, error_msg = ?,
         last_consume_time = NOW(3), version = version + 1
   ${WHILE_HELD}`;

/** RETRYING → PENDING_RETRY or FAILED after the effect threw. */
export async function markFailure(
  db: Database,
  claim: RetryClaim,
  { to, reason }: Failure,
  retry: RetryPolicy,
): Promise<'done' | 'lease-lost'> {
  const fence = [reason, asNumber(claim.id), claim.version];
  const changed = await repeatOnRace(db, () =>
    to === 'FAILED'
      ? changeRows(db.knex, GIVE_UP, fence)
      : changeRows(db.knex, TRY_AGAIN, [retry.retryBaseMs, retry.retryMaxMs, ...fence]),
  );
  return changed === 1 ? 'done' : 'lease-lost';
}

const back = (alsoSet: string): string => `
  UPDATE consumer_message
     SET status = 'PENDING_RETRY', next_retry_time = NOW(3) + INTERVAL ? MICROSECOND${alsoSet}, version = version + 1
   ${WHILE_HELD}`;

const PUT_OFF = back(', lost_count = 0');
const GIVE_BACK = back('');

const release = async (db: Database, sql: string, claim: RetryClaim, ms: number): Promise<'done' | 'lease-lost'> => {
  const changed = await repeatOnRace(db, () =>
    changeRows(db.knex, sql, [ms * 1000, asNumber(claim.id), claim.version]),
  );
  return changed === 1 ? 'done' : 'lease-lost';
};

/** RETRYING → PENDING_RETRY without an attempt, because the database's own trouble came between. */
export const putOff = (db: Database, claim: RetryClaim, ms: number): Promise<'done' | 'lease-lost'> =>
  release(db, PUT_OFF, claim, ms);

/** RETRYING → PENDING_RETRY without an attempt, because nothing was tried: leases that were lost before still count. */
export const giveBack = (db: Database, claim: RetryClaim, ms: number): Promise<'done' | 'lease-lost'> =>
  release(db, GIVE_BACK, claim, ms);
