import { setTimeout as sleep } from 'node:timers/promises';

import type { Inject } from '../injection.js';

/** How long a process may take to come to the step it is armed for. */
const COMES_BY_MS = 8_000;

/**
 * Crashes a process exactly at a step of the protocol, by a fail-point, and starts it again. Whether the step was
 * reached is in the process's own line; if it never came there, nothing was injected.
 */
export const crashAt: Inject<'crash-at'> = async (world, { target, step }) => {
  const process = world.target(target);
  const before = world.failPoints.crashes(target);
  const exited = process.exited.then(() => 'exited' as const);
  world.failPoints.arm(target, { step, action: 'crash' });
  const armedMs = performance.now();
  const came = await Promise.race([exited, sleep(COMES_BY_MS, 'never' as const)]);
  const reachedAfterMs = Math.round(performance.now() - armedMs);
  return {
    heal: async () => {
      if (came === 'never') world.failPoints.standDown(target);
      // It may still have come there while we waited for the end of the fault.
      if (process.isRunning()) return {};
      await process.start();
      // One that ended otherwise was not crashed there.
      return world.failPoints.crashes(target) > before ? { crashesAtStep: 1, reachedAfterMs } : {};
    },
  };
};
