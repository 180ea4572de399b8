import type { Outcome } from '../channels/outcome.js';
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
  switch (outcome.kind) {
    case 'confirmed':
      return { to: 'SENT' };
    case 'unknown':
      return { to: 'PENDING', why: 'unknown', reason: outcome.reason, suspect: outcome.suspect };
    case 'refused': {
      const isLast = outcome.permanent || retryCount + 1 >= maxRetryCount;
      return isLast
        ? { to: 'FAILED', reason: outcome.reason, attemptUsed: true }
        : { to: 'PENDING', why: 'refused', reason: outcome.reason };
    }
  }
}
