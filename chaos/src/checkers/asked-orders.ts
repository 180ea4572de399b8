import {
  askedOrders as ordersOf,
  createWorkload,
  plannedOrders,
  type AskedOrders,
  type Workload,
} from '@counterfoil/loadtest';

import type { RunFacts } from '../facts.js';

/** The workload of the arithmetic witness, made again from the plan; null for the others. */
export function powersWorkload(facts: Pick<RunFacts, 'plan' | 'books'>): Workload | null {
  const options = optionsOf(facts);
  return facts.plan.load.workload !== 'powers' || options === null ? null : createWorkload(options);
}

/** What the load asked for; null when nobody knows which products were there. */
export function askedOrders(facts: RunFacts): Pick<AskedOrders, 'order'> | null {
  const options = optionsOf(facts);
  if (facts.asked !== undefined || options === null) return facts.asked ?? null;
  return ordersOf({ kind: facts.plan.load.workload, ...options });
}

function optionsOf({ plan, books }: Pick<RunFacts, 'plan' | 'books'>) {
  if (books.startStock.size === 0) return null;
  return {
    seed: plan.seed,
    orderCount: plannedOrders(plan.load),
    firstProductId: lowest(books.startStock.keys()),
  };
}

/** Not `Math.min(...)`: a call takes only so many arguments, and a long run has more products. */
function lowest(ids: Iterable<number>): number {
  let found = Infinity;
  for (const id of ids) found = Math.min(found, id);
  return found;
}
