import { numbered, type Scenario } from './scenario.js';

/** A third of the work is the relay's: with the fast path on, a relay has nothing that a kill could interrupt. */
export const relayKill: Scenario = {
  name: 'relay-kill',
  story: 'A relay is killed in the middle of its batch, every two seconds, and comes back a second later.',
  inCi: true,
  plan: ({ seconds }, random) => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '1000' },
    faults: numbered(
      Array.from({ length: Math.max(1, Math.floor((seconds - 2) / 2)) }, (_, index) => ({
        atMs: 1_000 + index * 2_000 + random.integer(0, 500),
        fault: { kind: 'kill' as const, target: `relay-${String(1 + (index % 2))}`, backAfterMs: 1_000 },
      })),
    ),
  }),
};
