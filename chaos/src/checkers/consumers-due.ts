import { DECIDED, decidedRoute, DEDUCT } from '@counterfoil/contracts';

import type { WorldPlan } from '../plan.js';

/** How many consumers each queue has when all is well: one of each process whose work it is, and as many read its dead letters. */
export function consumersDue({ inventoryServices, orderServices, shards = [] }: WorldPlan): Record<string, number> {
  const decided = shards.length === 0 ? [DECIDED] : shards.map(decidedRoute);
  const routes = [
    { route: DEDUCT, processes: inventoryServices },
    // Processes of the order side take turns over the shards, beginning with the first.
    ...decided.map((route, shard) => ({ route, processes: Math.ceil((orderServices - shard) / decided.length) })),
  ];
  return Object.fromEntries(
    routes.flatMap(({ route: { queue, deadQueue }, processes }) => [
      [queue, processes],
      [deadQueue, processes],
    ]),
  );
}
