import { pauseOf, type Outcome } from '../channels/outcome.js';
import { oneLine } from '../errors.js';
import type { Settlement } from './producer-message.js';

/**
 * What becomes of a row after an attempt. Pure.
 *
 * Only a refusal uses an attempt; an outage (`unknown`) never does, so that half an hour without a broker ends
 * with nothing FAILED.
 */
export function decide(
  outcome: Outcome,
  { retryCount, maxRetryCount }: { readonly retryCount: number; readonly maxRetryCount: number },
): Settlement {
  if (outcome.kind === 'confirmed') return { to: 'SENT' };
  const reason = oneLine(outcome.reason);
  const pauseMs = pauseOf(outcome);
  switch (outcome.kind) {
    case 'unknown':
      return { to: 'PENDING', why: 'unknown', reason, suspect: outcome.suspect, pauseMs };
    case 'refused': {
      const isLast = outcome.permanent || retryCount + 1 >= maxRetryCount;
      return isLast ? { to: 'FAILED', reason, attemptUsed: true } : { to: 'PENDING', why: 'refused', reason, pauseMs };
    }
  }
}
