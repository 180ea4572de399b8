import { DEDUCT } from '@counterfoil/contracts';

import { numbered, type Scenario } from './scenario.js';

export const unroutable: Scenario = {
  name: 'unroutable',
  story: 'The binding of the deductions is removed and restored: returned messages back off and are delivered later.',
  inCi: false,
  plan: ({ seconds }) => ({
    // A second route would turn an unroutable message into a confirmed one.
    world: { tap: false },
    settings: { MAX_RETRY_COUNT: '12', RETRY_MAX_MS: '2000' },
    faults: numbered([
      { atMs: 2_000, fault: { kind: 'unbind', queue: DEDUCT.queue, forMs: Math.min(5_000, seconds * 300) } },
    ]),
    notJudged: {
      I4: 'the tap would be a second route',
      I10: 'without the tap nobody counts publishes',
    },
  }),
};
