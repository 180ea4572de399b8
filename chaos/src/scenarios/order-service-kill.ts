import { numbered, type Scenario } from './scenario.js';

const STEPS = [
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
      STEPS.map((step, index) => ({
        atMs: Math.round(500 + (index * seconds * 1000) / STEPS.length),
        fault: { kind: 'crash-at' as const, target: 'order-service-1', step, backAfterMs: 500 },
      })),
    ),
    requiredCells: STEPS.map((step) => `${step} × kill`),
  }),
};
