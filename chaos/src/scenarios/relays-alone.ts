import type { Scenario } from './scenario.js';

export const relaysAlone: Scenario = {
  name: 'relays-alone',
  story: 'Nothing is broken and the fast path is off: two relays share the work, and nothing is published twice.',
  inCi: false,
  plan: () => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '1000' },
    faults: [],
    expected: { duplicatesAtMost: 0 },
  }),
};
