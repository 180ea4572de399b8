import { createWorkload, type Workload } from '@counterfoil/loadtest';

import type { RunFacts } from '../facts.js';

/** The workload of the arithmetic witness, made again from the plan; null for the others. */
export function powersWorkload({ plan, books }: RunFacts): Workload | null {
  const { rate, warmUpSeconds, seconds, workload } = plan.load;
  if (workload !== 'powers' || books.startStock.size === 0) return null;
  return createWorkload({
    seed: plan.seed,
    orderCount: Math.round(rate * (warmUpSeconds + seconds)),
    firstProductId: Math.min(...books.startStock.keys()),
  });
}

/** What the load asked for; null when nobody says. */
export const askedOrders = (facts: RunFacts): Pick<Workload, 'order'> | null => facts.asked ?? powersWorkload(facts);
