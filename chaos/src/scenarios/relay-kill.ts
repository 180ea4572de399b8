import { numbered, type Scenario } from './scenario.js';

/** The fast path is off: otherwise a relay has nothing that a kill could interrupt. */
export const relayKill: Scenario = {
  name: 'relay-kill',
  story:
    'A relay is killed in the middle of its batch, every two seconds, three times exactly between two of its steps.',
  inCi: true,
  plan: ({ seconds }, random) => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '1000' },
    faults: numbered([
      ...STEPS.map((step, index) => ({
        atMs: 500 + index * 2_500,
        fault: { kind: 'crash-at' as const, target: `relay-${String(1 + (index % 2))}`, step, backAfterMs: 500 },
      })),
      ...Array.from({ length: Math.max(1, Math.floor((seconds - 9) / 2)) }, (_, index) => ({
        atMs: 8_000 + index * 2_000 + random.integer(0, 500),
        fault: { kind: 'kill' as const, target: `relay-${String(1 + (index % 2))}`, backAfterMs: 1_000 },
      })),
    ]),
    requiredCells: STEPS.map((step) => `${step} × kill`),
  }),
};

const STEPS = ['after-claim-before-publish', 'after-publish-before-confirm', 'after-confirm-before-settle'] as const;
