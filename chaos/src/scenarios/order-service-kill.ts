import { numbered, type Scenario } from './scenario.js';

export const orderServiceKill: Scenario = {
  name: 'order-service-kill',
  story: 'The order service is killed between COMMIT and the hand-over; what it held is sent when its leases end.',
  inCi: true,
  plan: ({ seconds }, random) => ({
    faults: numbered(
      [0.2, 0.6].map((part) => ({
        atMs: Math.round(part * seconds * 1000) + random.integer(0, 700),
        fault: { kind: 'kill' as const, target: 'order-service-1', backAfterMs: 1_500 },
      })),
    ),
  }),
};
