import type { Database } from '../database/database.js';
import { isDatabaseTrouble } from '../database/error-kinds.js';
import { runInTransaction } from '../database/transaction.js';
import { PermanentError, reasonOf } from '../errors.js';
import type { RetryPolicy } from '../producer/store/retry-policy.js';
import { createLoop, jittered, type Loop } from '../service/loop.js';
import { decideFailure, type RetryClaim } from './consumer-message.js';
import type { Effect } from './effect.js';
import { claimForRetry, markFailure, markSuccess, putOff } from './store/retry-claim.js';

export interface RedeliveryOptions {
  readonly db: Database;
  readonly effects: readonly Effect[];
  readonly retry: RetryPolicy;
  readonly leaseMs: number;
  readonly pollMs: number;
}

class LeaseLost extends Error {}

const NOT_MINE_MS = 300_000;
const TROUBLE_MS = 1_000;

/**
 * Handles owed messages in place: the effect runs again from the stored content, one message at a time and alone,
 * whatever way it came in.
 */
export function createRedeliveryTask(options: RedeliveryOptions): Loop {
  const effects = new Map(options.effects.map((effect) => [effect.name, effect]));
  return createLoop({
    name: 'redelivery-task',
    events: options.db.events,
    periodMs: options.pollMs,
    step: async () => {
      const claim = await claimForRetry(options.db, options.leaseMs);
      if (claim === null) return jittered(options.pollMs);
      await redeliver(options, claim, effects.get(claim.received.consumer));
      return 0;
    },
  });
}

async function redeliver(options: RedeliveryOptions, claim: RetryClaim, effect: Effect | undefined): Promise<void> {
  const { db } = options;
  const { messageId, consumer } = claim.received;
  if (effect === undefined) {
    await putOff(db, claim, NOT_MINE_MS);
    return;
  }
  const result = await tryEffect(options, claim, effect);
  db.events.emit('redelivered', { consumer, messageId, result });
  if (result === 'lease-lost') db.events.emit('leaseLost', { table: 'consumer_message', id: claim.id });
}

async function tryEffect(
  options: RedeliveryOptions,
  claim: RetryClaim,
  effect: Effect,
): Promise<'success' | 'failed' | 'lease-lost'> {
  const { messageId } = claim.received;
  try {
    const value = effect.read(claim.received);
    await runInTransaction(options.db, async (trx) => {
      if ((await markSuccess(trx, claim)) === 'lease-lost') throw new LeaseLost();
      await effect.apply(trx, [{ messageId, value }]);
    });
    return 'success';
  } catch (error) {
    if (error instanceof LeaseLost) return 'lease-lost';
    return (await writeFailure(options, claim, error)) === 'done' ? 'failed' : 'lease-lost';
  }
}

/** The database's own trouble, an unanswered COMMIT among it, uses no attempt: the fence tells whether the effect is there. */
async function writeFailure(options: RedeliveryOptions, claim: RetryClaim, error: unknown): Promise<'done' | 'lease-lost'> {
  if (isDatabaseTrouble(error)) return putOff(options.db, claim, TROUBLE_MS);
  const to = decideFailure(claim, error instanceof PermanentError);
  const reason = reasonOf(error);
  const { messageId, consumer } = claim.received;
  options.db.events.emit('consumeFailed', { consumer, messageId, to, attempt: claim.retryCount + 1, reason });
  return markFailure(options.db, claim, { to, reason }, options.retry);
}
