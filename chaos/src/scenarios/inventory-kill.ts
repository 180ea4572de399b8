import { numbered, type Scenario } from './scenario.js';

export const inventoryKill: Scenario = {
  name: 'inventory-kill',
  story: 'The inventory service is killed between COMMIT and the acknowledgement; the broker delivers again.',
  inCi: true,
  plan: ({ seconds }, random) => ({
    faults: numbered(
      [0.2, 0.5, 0.8].map((part) => ({
        atMs: Math.round(part * seconds * 1000) + random.integer(0, 700),
        fault: { kind: 'kill' as const, target: 'inventory-service-1', backAfterMs: 1_000 },
      })),
    ),
  }),
};
