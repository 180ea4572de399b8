import type { Scenario } from './scenario.js';

export const baseline: Scenario = {
  name: 'baseline',
  story: 'Nothing is broken: every order is deducted once, and the figures are what the rest is compared with.',
  inCi: true,
  plan: () => ({ faults: [], expected: { duplicatesAtMost: 0 } }),
};
