import { askedOrders as ordersOf, createWorkload, type AskedOrders, type Workload } from '@counterfoil/loadtest';

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
  const { rate, warmUpSeconds, seconds } = plan.load;
  if (books.startStock.size === 0) return null;
  return {
    seed: plan.seed,
    orderCount: Math.round(rate * (warmUpSeconds + seconds)),
    firstProductId: Math.min(...books.startStock.keys()),
  };
}
