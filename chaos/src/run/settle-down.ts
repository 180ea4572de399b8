import { setTimeout as sleep } from 'node:timers/promises';

import { DECIDED, decidedRoute, DEDUCT } from '@counterfoil/contracts';

import type { EndState } from '../facts.js';
import type { World } from '../world/world.js';
import { FinalProof, signsOf, surelyNoticedMs } from './final-proof.js';
import { countOpenWork, type OpenWork } from './open-work.js';
import { Progress } from './progress.js';

/** The bound is on progress, not on the clock: as long as something becomes final the run may go on. */
const NO_PROGRESS_MS = 30_000;
const LOOK_EVERY_MS = 300;

export type Settled = Pick<EndState, 'settled' | 'settledAfterMs' | 'queueDepths'>;

/** Waits until everything is final and every queue is empty, or nothing can move any more, or nothing moves. */
export async function settleDown(world: World): Promise<Settled> {
  const sinceMs = performance.now();
  let movedMs = sinceMs;
  let queueDepths: Record<string, number> = {};
  const progress = new Progress();
  const proof = new FinalProof(signsOf(world), surelyNoticedMs(world.plan));
  while (performance.now() - movedMs < NO_PROGRESS_MS) {
    const lookedMs = performance.now();
    const work = await countOpenWork(world).catch((): OpenWork => ({ rows: Infinity, undecided: null }));
    queueDepths = await depths(world);
    const queued = Object.values(queueDepths).reduce((total, depth) => total + depth, 0);
    if (work.rows + queued === 0 && work.undecided === 0)
      return { settled: true, settledAfterMs: Math.round(lookedMs - sinceMs), queueDepths };
    if (progress.isMade({ ...work, ...queueDepths })) movedMs = performance.now();
    if (await proof.isFinal(work.rows + queued === 0, performance.now())) break;
    await sleep(LOOK_EVERY_MS);
  }
  return { settled: false, settledAfterMs: null, queueDepths };
}

async function depths({ stack, plan }: World): Promise<Record<string, number>> {
  const routes = [DEDUCT, DECIDED, ...(plan.world.shards ?? []).map(decidedRoute)];
  const queues = routes.flatMap(({ queue, deadQueue }) => [queue, deadQueue]);
  const read = queues.map(
    async (queue) => [queue, await stack.broker.queueDepth(queue).catch(() => Infinity)] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}
