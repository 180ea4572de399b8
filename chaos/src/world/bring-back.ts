import type { Managed } from '@counterfoil/stack';

import type { Target } from '../plan.js';

type Endable = Pick<Managed, 'name' | 'isRunning' | 'resume' | 'start'>;

/** Servers that a fault left dead or halted work again. @throws when one does not: nobody could read what is left */
export async function bringServersBack(servers: readonly Endable[]): Promise<void> {
  for (const server of servers) await goOn(server);
}

/**
 * The same of our processes.
 *
 * @returns those that did not come back, each with why: the run goes on without them, and is judged by what is left
 */
export async function bringServicesBack(services: readonly Endable[]): Promise<Map<Target, string>> {
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
