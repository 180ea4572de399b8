import type { Link } from '../plan.js';
import { numbered, type Scenario } from './scenario.js';

const LINKS: readonly Link[] = ['relay→broker', 'order-service→order-db'];

export const slowLinks: Scenario = {
  name: 'slow-links',
  story: 'Latency with jitter in front of the database and the broker, and a narrow line for the relay.',
  inCi: false,
  plan: ({ seconds }) => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '1000' },
    world: { links: LINKS },
    rateAtMost: 300,
    faults: numbered([
      {
        atMs: 2_000,
        fault: {
          kind: 'slow',
          link: 'order-service→order-db',
          latencyMs: 20,
          jitterMs: 15,
          kilobytesPerSecond: null,
          forMs: seconds * 300,
        },
      },
      {
        atMs: Math.round(seconds * 450),
        fault: {
          kind: 'slow',
          link: 'relay→broker',
          latencyMs: 60,
          jitterMs: 40,
          kilobytesPerSecond: 500,
          forMs: seconds * 300,
        },
      },
    ]),
  }),
};
