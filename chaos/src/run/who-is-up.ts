import { consumersDue } from '../checkers/consumers-due.js';
import type { EndState } from '../facts.js';
import { consumersOf } from '../measure/consumers.js';
import { notReady } from '../measure/readiness.js';
import type { World } from '../world/world.js';

/** All is healed and settled by then: what takes longer does not come back. */
const WITHIN_MS = 30_000;

/**
 * Whether each process can do its work again, by its own word, and whether the broker has a consumer of each that consumes.
 * That all work is done proves neither: others may have done it.
 *
 * @param note is told why one cannot
 */
export async function whoIsUp(
  world: World,
  note: (text: string) => void,
): Promise<Pick<EndState, 'processesUp' | 'consumers'>> {
  const [reasons, consumers] = await Promise.all([
    notReady(world.services.values(), WITHIN_MS),
    consumersOf(world, consumersDue(world.plan.world), WITHIN_MS),
  ]);
  for (const [name, why] of reasons) note(`${name} is not ready: ${why}`);
  const isUp = ([name, cameBack]: [string, boolean]): [string, boolean] => [name, cameBack && !reasons.has(name)];
  return { processesUp: Object.fromEntries(Object.entries(world.processesUp()).map(isUp)), consumers };
}
