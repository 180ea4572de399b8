import { CLOCK_SKEW_MS } from '../fail-points/steps.js';
import type { Scenario } from './scenario.js';

export const clockSkew: Scenario = {
  name: 'clock-skew',
  story:
    'Every process of ours has a clock ten minutes ahead of the databases: leases, back-offs and ids do not notice.',
  inCi: false,
  plan: () => ({ settings: { [CLOCK_SKEW_MS]: '600000' }, faults: [] }),
};
