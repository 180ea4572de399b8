import { setTimeout as sleep } from 'node:timers/promises';

import type { World } from '../../world/world.js';
import type { Inject } from '../injection.js';

/** How long a process may take to come to the step it is armed for. */
const COMES_BY_MS = 5_000;
const LOOK_EVERY_MS = 10;

/** Halts a process exactly at a step of the protocol: it keeps its connections, its claims and its open transaction. */
export const haltAt: Inject<'halt-at'> = async (world, { target, step, then }) => {
  const process = world.target(target);
  const before = timesReached(world, target);
  world.failPoints.arm(target, { step, action: 'halt' });
  const came = await until(() => timesReached(world, target) > before);
  return {
    heal: async () => {
      if (!came) {
        world.failPoints.standDown(target);
        await process.resume(); // it may have come there just now
        return {};
      }
      if (then === 'go-on') await process.resume();
      else {
        await process.kill('SIGKILL');
        await process.start();
      }
      return { haltsAtStep: 1, exits: then === 'die' ? 1 : 0 };
    },
  };
};

const timesReached = (world: World, target: string): number => world.failPoints.reached([target]).length;

async function until(holds: () => boolean): Promise<boolean> {
  const untilMs = performance.now() + COMES_BY_MS;
  while (performance.now() < untilMs) {
    if (holds()) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}
