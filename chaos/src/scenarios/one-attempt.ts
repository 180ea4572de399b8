import { numbered, type Scenario } from './scenario.js';

export const oneAttempt: Scenario = {
  name: 'one-attempt',
  story:
    'Every message has one attempt, and the broker is killed twice: no answer is no refusal, and nothing is FAILED.',
  inCi: false,
  plan: ({ seconds }, random) => ({
    settings: { MAX_RETRY_COUNT: '1' },
    faults: numbered(
      [0.2, 0.6].map((part) => ({
        atMs: Math.round(part * seconds * 1000) + random.integer(0, 300),
        fault: { kind: 'kill' as const, target: 'broker', backAfterMs: 500 },
      })),
    ),
  }),
};
