import type { Database } from '../../../database/database.js';
import { changeRows } from '../../../database/rows.js';
import { multiply } from '../../../testkit/query-plans.js';
import { asClaim, type Claim } from '../../producer-message.js';
import type { ClaimOptions } from '../claim.js';
import { insertRows } from '../insert.js';
import type { Settling } from '../settle.js';

export const BATCH = 20;
export const OPTIONS: ClaimOptions = {
  limit: BATCH,
  leaseMs: 30_000,
  claimedBy: 'plan',
  byteBudget: 1_000_000,
  obstacle: () => null,
  suspectsKept: 5,
};

export const PRODUCER_ROW = {
  taskName: 't',
  channel: 'rabbitmq',
  exchange: 'e',
  routingKey: 'r',
  channelConfig: null,
  content: '{}',
  headers: null,
  status: 'PENDING',
  maxRetryCount: 5,
  actsInMs: 0,
  claimedBy: null,
} as const;

/** Half of the messages due, half with a lease that ended; of the notes as well. */
export async function fill(filler: Database, count: number): Promise<void> {
  for (const table of ['producer_message', 'consumer_message'] as const)
    await changeRows(filler.knex, `DELETE FROM ${table}`);
  if (count === 0) return;
  await insertRows(filler.knex, [{ ...PRODUCER_ROW, id: '1', messageId: 'copy-1' }]);
  await changeRows(
    filler.knex,
    `INSERT INTO consumer_message (id, message_id, consumer, received_by, exchange, routing_key, content, status, next_retry_time, first_consume_time, last_consume_time)
     VALUES (1, 'copy-1', 'effect', 'q', 'e', 'r', '{}', 'PENDING_RETRY', NOW(3), NOW(3), NOW(3))`,
  );
  for (const table of ['producer_message', 'consumer_message'] as const) await multiply(filler.knex, table, count);
  await changeRows(
    filler.knex,
    `UPDATE producer_message SET status = 'SENDING', next_retry_time = NOW(3) - INTERVAL 1 SECOND WHERE id > ?`,
    [count / 2],
  );
  await changeRows(
    filler.knex,
    `UPDATE consumer_message SET status = 'RETRYING', next_retry_time = NOW(3) - INTERVAL 1 SECOND WHERE id > ?`,
    [count / 2],
  );
}

export const claimsOf = (rows: readonly { id: string; version: number }[]): Claim[] =>
  rows.map(({ id, version }) =>
    asClaim({ id, version, messageId: '', retryCount: 0, maxRetryCount: 5, leaseEndsMs: 1e15 }),
  );

export const everySettlement = (claims: readonly Claim[]): Settling[] =>
  claims.map((claim, n) => {
    const settlement: Settling['settlement'][] = [
      { to: 'SENT' },
      { to: 'PENDING', why: 'refused', reason: 'r', pauseMs: 0 },
      { to: 'PENDING', why: 'unknown', reason: 'u', suspect: false, pauseMs: 0 },
      { to: 'PENDING', why: 'given-back' },
      { to: 'FAILED', reason: 'f', attemptUsed: true },
    ];
    return { claim, settlement: settlement[n % settlement.length] ?? { to: 'SENT' } };
  });
