import type { Managed } from '@counterfoil/stack';

import type { Target } from '../plan.js';

type Endable = Pick<Managed, 'name' | 'isRunning' | 'resume' | 'start'>;

/**
 * Whatever a fault left dead or halted works again.
 *
 * @returns services that did not come back, each with why: the run goes on without them, and is judged by what is left
 * @throws when a server does not come back: nobody could read what is left
 */
export async function bringBack(
  servers: readonly Endable[],
  services: readonly Endable[],
): Promise<Map<Target, string>> {
  for (const server of servers) await goOn(server);
  const lost = new Map<Target, string>();
  for (const service of services) {
    await goOn(service).catch((error: unknown) => {
      const [why = ''] = String(error).split('\n'); // the end of its log follows, and is kept elsewhere
      lost.set(service.name, why);
    });
  }
  return lost;
}

const goOn = (one: Endable): Promise<void> => (one.isRunning() ? one.resume() : one.start());
