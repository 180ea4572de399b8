import { DEDUCT } from '@counterfoil/contracts';

import { numbered, type Scenario } from './scenario.js';

/** A consumer that takes few at a time keeps the queue at its limit, so that refused and confirmed messages alternate. It carries some 600 a second. */
const SLOW_CONSUMER = { CONSUMER_PREFETCH: '10', CONSUMER_BATCH: '10' };

export const queueFull: Scenario = {
  name: 'queue-full',
  story: 'The queue of the deductions is full for a while: what it refuses is sent again, what it took is not.',
  inCi: false,
  plan: () => ({
    // What the full queue refuses would be in the tap's all the same.
    world: { tap: false },
    // Whatever rate is asked for: near what the consumer carries, so that the queue comes to its limit and is emptied again.
    load: { rate: 500 },
    settings: { ...SLOW_CONSUMER, MAX_RETRY_COUNT: '30', RETRY_MAX_MS: '1000' },
    faults: numbered([
      { atMs: 1_000, fault: { kind: 'queue-limit', queue: DEDUCT.queue, messages: 10, forMs: 5_000 } },
    ]),
    notJudged: {
      I4: 'the tap would have what the full queue refused',
      I10: 'without the tap nobody counts publishes',
    },
  }),
};
