import type { Effect } from '../history.js';
import type { Fault } from '../plan.js';
import { hadEffect } from './had-effect.js';

const LINK = { link: 'relay→broker', forMs: 1_000 } as const;
const CUT: Fault = { kind: 'cut', how: 'swallow', direction: 'both', ...LINK };
const RESET: Fault = { ...CUT, how: 'reset' };
const SLOW: Fault = { kind: 'slow', latencyMs: 20, jitterMs: 5, kilobytesPerSecond: null, ...LINK };
const LIMIT: Fault = { kind: 'queue-limit', queue: 'inventory.deduct', messages: 10, forMs: 1_000 };
const SCALE: Fault = { kind: 'scale', target: 'relay', to: 3 };
const ANSWER: Fault = { kind: 'http-answer', target: 'recorder', status: 503, forMs: 1_000 };

describe('what shows that a fault did something', () => {
  it.each<[string, Fault, Effect, boolean]>([
    ['bytes went by a line that was to be cut', CUT, { toxicHits: 2, upstreamBytes: 8, connections: 1 }, false],
    ['bytes were swallowed', CUT, { toxicHits: 2, droppedBytes: 8 }, true],
    ['nothing was swallowed, and idle connections were closed in the end', CUT, { toxicHits: 2, closes: 2 }, false],
    ['a connection was reset, with what came on it', RESET, { droppedBytes: 8, resets: 1 }, true],
    ['nothing came that could have been reset', RESET, { toxicHits: 2, closes: 2 }, false],
    ['a line that counts nothing did not answer', CUT, { probesUnanswered: 1 }, true],
    ['nobody used the slow line', SLOW, { toxicHits: 4, delayedChunks: 0 }, false],
    ['somebody waited for it', SLOW, { delayedChunks: 1 }, true],
    ['nobody came up against a limit', LIMIT, { attemptsFailed: 0, limitedMs: 5_000 }, false],
    ['somebody did', LIMIT, { attemptsFailed: 3, limitedMs: 5_000 }, true],
    ['there are as many relays as before', SCALE, { relaysChanged: 0, before: 3, after: 3 }, false],
    ['requests got the answer', ANSWER, { answered503: 7 }, true],
  ])('when %s', (_what, fault, effect, shown) => {
    expect(hadEffect({ fault, effect })).toBe(shown);
  });
});
