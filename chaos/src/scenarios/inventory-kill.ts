import { numbered, type Scenario } from './scenario.js';

/** It comes by each of them with every deduction. */
export const INVENTORY_SERVICE_STEPS = [
  'after-commit-before-ack',
  'after-deliver-before-commit',
  'after-commit-before-hand-over',
] as const;

export const inventoryKill: Scenario = {
  name: 'inventory-kill',
  story:
    'The inventory service is killed between COMMIT and the acknowledgement, and before COMMIT; the broker delivers again.',
  inCi: true,
  plan: ({ seconds }) => ({
    faults: numbered(
      INVENTORY_SERVICE_STEPS.map((step, index) => ({
        atMs: Math.round(500 + (index * seconds * 1000) / INVENTORY_SERVICE_STEPS.length),
        fault: { kind: 'crash-at' as const, target: 'inventory-service-1', step, backAfterMs: 500 },
      })),
    ),
    requiredCells: INVENTORY_SERVICE_STEPS.map((step) => `${step} × kill`),
  }),
};
