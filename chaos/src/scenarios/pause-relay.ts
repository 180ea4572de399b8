import { numbered, type Scenario } from './scenario.js';

export const pauseRelay: Scenario = {
  name: 'pause-relay',
  story:
    'A relay is halted for longer than its lease and wakes up with old claims: its settles find nothing to change.',
  inCi: false,
  plan: ({ seconds }, random) => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '1000' },
    faults: numbered(
      [0.1, 0.5].map((part, index) => ({
        atMs: Math.round(part * seconds * 1000) + random.integer(0, 300),
        fault: { kind: 'pause' as const, target: `relay-${String(index + 1)}`, forMs: 8_000 },
      })),
    ),
  }),
};
