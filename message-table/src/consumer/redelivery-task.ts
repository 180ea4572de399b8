import type { Database } from '../database/database.js';
import type { RetryPolicy } from '../producer/store/retry-policy.js';
import { createLoop, jittered, type Loop } from '../service/loop.js';
import type { RetryClaim } from './consumer-message.js';
import type { Effect } from './effect.js';
import { handleOrPutOff } from './handle-claim.js';
import type { Republisher } from './republisher.js';
import { claimForRetry } from './store/retry-claim.js';

export interface RedeliveryOptions {
  /** The pool of the database that keeps the notes. */
  readonly db: Database;
  /** Notes of other effects are left to the processes that have them. */
  readonly effects: readonly Effect[];
  /** How long a failed message waits before its effect is tried again. */
  readonly retry: RetryPolicy;
  /** How long a redelivery may take before another process may try. Shorter than the effect takes: it is tried twice. */
  readonly leaseMs: number;
  /** Rest of an idle task. Shorter finds what is due sooner, and costs a query each time. */
  readonly pollMs: number;
  /** REDELIVERY=republish: what came through a queue goes through it again. Null: everything is handled in place. */
  readonly republisher?: Republisher | null;
}

/**
 * Handles owed messages in place: the effect runs again from the stored content, one message at a time and alone,
 * whatever way it came in. With a republisher, only what cannot go through its queue.
 */
export function createRedeliveryTask(options: RedeliveryOptions): Loop {
  const effects = new Map(options.effects.map((effect) => [effect.name, effect]));
  const { db, pollMs, republisher = null } = options;
  const claiming = {
    consumers: [...effects.keys()],
    leaseMs: ({ receivedBy, lostCount }: { receivedBy: string; lostCount: number }) =>
      republisher?.queue === receivedBy ? republisher.leaseMs(options.leaseMs, lostCount) : options.leaseMs,
  };
  return createLoop({
    name: 'redelivery-task',
    events: db.events,
    periodMs: pollMs,
    step: async () => {
      if (republisher !== null && !(await republisher.hasRoom())) return jittered(pollMs);
      const claim = await claimForRetry(db, claiming);
      if (claim === null) return jittered(pollMs);
      const effect = effects.get(claim.received.consumer);
      if (effect !== undefined) await redeliver(options, claim, effect);
      return 0;
    },
  });
}

async function redeliver(options: RedeliveryOptions, claim: RetryClaim, effect: Effect): Promise<void> {
  const { db, republisher = null } = options;
  const { messageId, consumer } = claim.received;
  const published = republisher?.takes(claim) === true ? await republisher.publish(db, claim) : 'cannot-be-published';
  const result = published === 'cannot-be-published' ? await handleOrPutOff(options, claim, effect) : published;
  db.events.emit('redelivered', { consumer, messageId, result });
  if (result === 'lease-lost') db.events.emit('leaseLost', { table: 'consumer_message', id: claim.id });
}
