import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from '../database/database.js';
import { isDatabaseTrouble } from '../database/error-kinds.js';
import { reasonOf, toError } from '../errors.js';
import { Gatherer } from '../service/gather.js';
import type { RetryPolicy } from './store/retry-policy.js';
import { settle, type Settled, type Settling } from './store/settle.js';

export interface Settler {
  /** Resolves when the outcome is written, or when the lease ended first. Never rejects. */
  settle(settling: Settling): Promise<Settled>;
  readonly size: number;
}

const REST_MS = 200;

/**
 * Gathers outcomes and writes them together. One that cannot be written (no connection, read-only, deadline) is
 * kept and repeated until its lease ends; after that the row belongs to whoever sweeps it.
 */
export function createSettler(db: Database, policy: RetryPolicy, via: 'fast-path' | 'relay'): Settler {
  const run = async (settlings: readonly Settling[]): Promise<Settled[]> => {
    const written = await writeUntilLeaseEnds(db, policy, settlings);
    settlings.forEach(({ claim }, index) => {
      if (written[index] === 'lease-lost') db.events.emit('leaseLost', { table: 'producer_message', id: claim.id });
    });
    countSettled(settlings, written);
    return written;
  };

  const countSettled = (settlings: readonly Settling[], written: readonly Settled[]): void => {
    for (const to of ['SENT', 'PENDING', 'FAILED'] as const) {
      const count = settlings.filter(
        ({ settlement }, index) => written[index] === 'settled' && settlement.to === to,
      ).length;
      if (count > 0) db.events.emit('settled', { via, to, count });
    }
  };

  const gatherer = new Gatherer<Settling, Settled>({ maxItems: 500, maxWaitMs: 10, maxRuns: 2, run });
  return {
    settle: (settling) => gatherer.add(settling),
    get size() {
      return gatherer.size;
    },
  };
}

async function writeUntilLeaseEnds(
  db: Database,
  policy: RetryPolicy,
  settlings: readonly Settling[],
): Promise<Settled[]> {
  for (;;) {
    try {
      return await settle(db, policy, settlings);
    } catch (error) {
      const now = performance.now();
      const someoneStillHolds = settlings.some(({ claim }) => claim.leaseEndsMs > now);
      if (!isDatabaseTrouble(error)) db.events.emit('loopFailed', { loop: 'settle', error: toError(error) });
      db.events.emit('settleDelayed', { count: settlings.length, reason: reasonOf(error) });
      if (!someoneStillHolds) return settlings.map(() => 'lease-lost');
      await sleep(REST_MS);
    }
  }
}
