import { numbered, type Scenario } from './scenario.js';

/** Longer than an attempt waits for its answer. */
const NO_ANSWER_MS = 4_000;

export const oneAttempt: Scenario = {
  name: 'one-attempt',
  story: 'Every message has one attempt, and the broker stands still: no answer is no refusal, and nothing is FAILED.',
  inCi: false,
  plan: () => ({
    settings: { MAX_RETRY_COUNT: '1' },
    faults: numbered([{ atMs: 2_000, fault: { kind: 'pause', target: 'broker', forMs: NO_ANSWER_MS } }]),
  }),
};
