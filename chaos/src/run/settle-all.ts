import type { ByHand } from '../facts.js';
import type { World } from '../world/world.js';
import { retryByHand } from './retry-by-hand.js';
import { settleDown, type Settled } from './settle-down.js';

export interface AllSettled extends Settled {
  readonly byHand: ByHand | null;
}

/** Waits until everything is final. Where the plan has a person send again what is FAILED, that has to settle as well. */
export async function settleAll(world: World, onProgress: (text: string) => void): Promise<AllSettled> {
  const first = await settleDown(world);
  if (world.plan.expected.retriedByHand !== true) return { ...first, byHand: null };
  onProgress('sending again by hand what is FAILED');
  const byHand = await retryByHand(world.stack.orderDb.url);
  const second = await settleDown(world);
  const tookMs =
    first.settledAfterMs === null || second.settledAfterMs === null
      ? null
      : first.settledAfterMs + second.settledAfterMs;
  return { ...second, settled: first.settled && second.settled, settledAfterMs: tookMs, byHand };
}
