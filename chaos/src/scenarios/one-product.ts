import type { Scenario } from './scenario.js';

export const hotProduct: Scenario = {
  name: 'hot-product',
  story: 'Every order wants the same product, from two consumers at once, in random quantities: no update is lost.',
  inCi: false,
  plan: () => ({
    load: { workload: 'hot' },
    world: { inventoryServices: 2 },
    faults: [],
    expected: { duplicatesAtMost: 0 },
  }),
};

export const soldOut: Scenario = {
  name: 'sold-out',
  story: 'A product runs dry: what fits is confirmed, the rest is rejected, and the stock ends at what was not taken.',
  inCi: false,
  plan: () => ({
    load: { workload: 'sold-out' },
    world: { inventoryServices: 2 },
    faults: [],
    expected: { duplicatesAtMost: 0 },
  }),
};
