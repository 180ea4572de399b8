import { numbered, type Scenario } from './scenario.js';

/** It comes by each of them with every order whose message takes the fast path. */
export const ORDER_SERVICE_STEPS = [
  'after-commit-before-hand-over',
  'after-accept-before-commit',
  'after-publish-before-confirm',
  'after-confirm-before-settle',
] as const;

export const orderServiceKill: Scenario = {
  name: 'order-service-kill',
  story:
    'The order service is killed between COMMIT and the hand-over, and at its other steps; what it held is sent when its leases end.',
  inCi: true,
  plan: ({ seconds }) => ({
    faults: numbered(
      ORDER_SERVICE_STEPS.map((step, index) => ({
        atMs: Math.round(500 + (index * seconds * 1000) / ORDER_SERVICE_STEPS.length),
        fault: { kind: 'crash-at' as const, target: 'order-service-1', step, backAfterMs: 500 },
      })),
    ),
    requiredCells: ORDER_SERVICE_STEPS.map((step) => `${step} × kill`),
  }),
};
