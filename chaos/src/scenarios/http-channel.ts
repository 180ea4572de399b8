import type { Fault } from '../plan.js';
import { numbered, type Scenario } from './scenario.js';

/** A connection for each message on both sides of the recorder: more would measure the machine. */
const MOST = 300;

/**
 * A refusal uses an attempt, and so does trouble for as long as the receiver took something lately: with these a message
 * outlives each of the short windows, and would not outlive the long one if that were its own fault.
 */
const ATTEMPTS = { RETRY_BASE_MS: '500', RETRY_MAX_MS: '2000', MAX_RETRY_COUNT: '10', BREAKER_WINDOW_MS: '8000' };

/** Few places, small batches and a pace that the receiver keeps: both senders have work, and a backlog does not choke it. */
const BOTH_SENDERS = { FAST_PATH_QUEUE: '20', RELAY_BATCH: '40', RELAY_RATE: '150' };

const LONG_OUTAGE_MS = 20_000;

const INVENTORY = 'inventory-service-1';
const crash = (step: 'after-commit-before-ack' | 'after-deliver-before-commit'): Fault => ({
  ...{ kind: 'crash-at', target: INVENTORY, step, backAfterMs: 300 },
});
const answers = (status: number, forMs: number): Fault => ({ kind: 'http-answer', target: 'recorder', status, forMs });

/**
 * Far enough apart for what one window held up to get through before the next. Restarts come after the short windows: on
 * a slow machine one takes so long that the breakers open, and then hardly anybody asks for ten seconds.
 */
const STORY: readonly (readonly [atMs: number, fault: Fault])[] = [
  [1_000, { kind: 'http-hold', target: 'recorder', holdMs: 3_000, forMs: 1_200 }],
  [5_500, answers(429, 1_500)],
  [9_500, answers(307, 500)],
  [10_500, answers(500, 1_500)],
  [14_500, crash('after-commit-before-ack')],
  [18_500, crash('after-deliver-before-commit')],
  [22_500, { kind: 'kill', target: INVENTORY, backAfterMs: 500 }],
  [26_500, answers(503, LONG_OUTAGE_MS)],
];
const JITTER_MS = 300;

export const httpChannel: Scenario = {
  name: 'http-channel',
  story:
    'The orders go over HTTP, and the receiver is killed, slow, answers 429, 500, 503: nothing FAILED but what it redirects, and that goes out by hand.',
  inCi: false,
  plan: (_options, random) => ({
    rateAtMost: MOST,
    settings: { ORDER_CHANNEL: 'http', ...ATTEMPTS, ...BOTH_SENDERS },
    faults: numbered(STORY.map(([atMs, fault]) => ({ atMs: atMs + random.integer(0, JITTER_MS), fault }))),
    requiredCells: ['after-commit-before-ack × kill', 'after-deliver-before-commit × kill'],
    expected: { retriedByHand: true },
  }),
};
