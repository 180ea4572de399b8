import { GENTLE_CATCH_UP, numbered, type Scenario } from './scenario.js';

const PROCESSES = ['relay-1', 'relay-2', 'inventory-service-1', 'inventory-relay-1', 'order-service-1'];

export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  story:
    'Every process of ours is asked to stop in turn and comes back: nothing is lost, and nothing is published twice.',
  inCi: false,
  plan: ({ seconds }) => ({
    faults: numbered(
      PROCESSES.map((target, index) => ({
        atMs: Math.round(1_000 + (index * (seconds - 2) * 1000) / PROCESSES.length),
        fault: { kind: 'stop' as const, target, backAfterMs: 300 },
      })),
    ),
    expected: { duplicatesAtMost: 0 },
  }),
};

const SERVERS = ['broker', 'order-db', 'inventory-db'];

export const serverRestart: Scenario = {
  name: 'server-restart',
  story: 'The broker and the databases are stopped in turn, the polite way, and come back: nothing is lost.',
  inCi: false,
  plan: ({ seconds }) => ({
    settings: GENTLE_CATCH_UP,
    faults: numbered(
      SERVERS.map((target, index) => ({
        atMs: Math.round(1_000 + (index * seconds * 1000) / SERVERS.length),
        fault: { kind: 'stop' as const, target, backAfterMs: 1_000 },
      })),
    ),
  }),
};
