import { numbered, type Scenario } from './scenario.js';

const killOf = (target: 'order-db' | 'inventory-db', story: string): Scenario => ({
  name: `${target}-kill`,
  story,
  inCi: false,
  plan: ({ seconds }, random) => ({
    faults: numbered([
      {
        atMs: Math.round(0.3 * seconds * 1000) + random.integer(0, 700),
        fault: { kind: 'kill', target, backAfterMs: 3_000 },
      },
    ]),
  }),
});

export const orderDbKill = killOf(
  'order-db',
  'The order database is killed and comes back: orders are refused meanwhile, none is half stored.',
);
export const inventoryDbKill = killOf(
  'inventory-db',
  'The inventory database is killed and comes back: deliveries are kept, not returned in a hot loop.',
);
