import { numbered, type Scenario } from './scenario.js';

export const deadLetters: Scenario = {
  name: 'dead-letters',
  story:
    'The broker gives up on deliveries, some of them handled before: each is read from the dead-letter queue, and takes effect once.',
  inCi: false,
  plan: ({ seconds }) => ({
    faults: numbered([
      { atMs: Math.round(seconds * 300), fault: { kind: 'dead-letters', rejected: 20, copies: 20 } },
      { atMs: Math.round(seconds * 700), fault: { kind: 'dead-letters', rejected: 20, copies: 20 } },
    ]),
    expected: { duplicatesAtMost: 0 },
  }),
};
