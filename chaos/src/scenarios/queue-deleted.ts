import { DEDUCT } from '@counterfoil/contracts';

import { numbered, type Scenario } from './scenario.js';

/** What is published while the queue is away comes back as unroutable, and is sent again. */
const PATIENT = { MAX_RETRY_COUNT: '12', RETRY_MAX_MS: '2000' };

const NOT_JUDGED = {
  I4: 'the tap would be a second route',
  I10: 'without the tap nobody counts publishes',
};

export const queueDeletedEmpty: Scenario = {
  name: 'queue-deleted-empty',
  story:
    'The queue of the deductions is deleted in a pause of the load, empty: it is declared again, and nothing is lost.',
  inCi: false,
  plan: ({ seconds, warmUpSeconds }) => {
    const pauseMs = Math.round(seconds * 400);
    return {
      world: { tap: false },
      settings: PATIENT,
      load: { quiet: { fromMs: warmUpSeconds * 1000 + pauseMs, forMs: 6_000 } },
      faults: numbered([
        { atMs: pauseMs + 2_000, fault: { kind: 'delete-queue', queue: DEDUCT.queue, onlyIfEmpty: true } },
      ]),
      notJudged: NOT_JUDGED,
    };
  },
};

/** The consumer is halted, so that messages lie in the queue when it goes. */
export const queueDeleted: Scenario = {
  name: 'queue-deleted',
  story:
    'The queue of the deductions is deleted with messages in it: reconcile names exactly what is lost, replay repairs it, then the books hold.',
  inCi: false,
  plan: ({ seconds }, random) => {
    const atMs = Math.round(seconds * 300) + random.integer(0, 1_000);
    return {
      world: { tap: false },
      settings: PATIENT,
      faults: numbered([
        { atMs, fault: { kind: 'pause', target: 'inventory-service-1', forMs: 3_000 } },
        { atMs: atMs + 2_000, fault: { kind: 'delete-queue', queue: DEDUCT.queue, onlyIfEmpty: false } },
      ]),
      notJudged: NOT_JUDGED,
      expected: { plannedLoss: true },
    };
  },
};
