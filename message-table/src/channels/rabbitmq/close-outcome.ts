import { refused, refusedForGood, suspect, unknown, type Outcome } from '../outcome.js';
import type { CloseReason } from './close-reason.js';

/** One of those in flight may be the cause, or none: each is tried alone before anybody is blamed. */
export function outcomeInCompany(reason: CloseReason): Outcome {
  return reason.forItsOwnReason ? suspect(reason.text) : unknown(reason.text);
}

/** Nothing else was in flight: the message is the cause. */
export function outcomeAlone(reason: CloseReason): Outcome {
  if (!reason.forItsOwnReason) return unknown(reason.text);
  return cannotEndDifferently(reason) ? refusedForGood(reason.text) : refused(reason.text);
}

/**
 * Too large (311, or 406 naming the size) and not a valid frame (501, 502) are properties of the bytes, which no
 * retry changes. A missing exchange (404) or permission (403) may be there the next time.
 */
function cannotEndDifferently({ code, text }: CloseReason): boolean {
  return code === 311 || code === 501 || code === 502 || (code === 406 && text.includes('message size'));
}
