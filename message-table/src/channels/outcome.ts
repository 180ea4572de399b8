/**
 * How one attempt to send a message ended.
 *
 * - `confirmed`: the destination has it and will keep it.
 * - `refused`: the destination said no to this message; it uses one of its attempts.
 *   `permanent` means that another attempt cannot end differently.
 * - `unknown`: no answer; it may or may not have arrived. An outage is not the message's
 *   fault, so no attempt is used. `suspect` means that the destination cut the line for a
 *   reason of its own while this message was in flight: it is sent alone next time. `unsent`
 *   means that nothing was sent, for a reason on this side: the destination is not blamed.
 *
 * `pauseMs`: the destination asked to be left alone for at least so long; {@link pauseOf} bounds it.
 */
export type Outcome =
  | Readonly<{ kind: 'confirmed' }>
  | Readonly<{ kind: 'refused'; reason: string; permanent: boolean; pauseMs?: number }>
  | Unknown;

type Unknown = Readonly<{ kind: 'unknown'; reason: string; suspect: boolean; unsent?: Unsent; pauseMs?: number }>;

/** `lacking`: this process does not have what sending takes, a secret for instance; `busy`: enough is under way there. */
type Unsent = 'lacking' | 'busy';

export const CONFIRMED: Outcome = { kind: 'confirmed' };

export const refused = (reason: string): Outcome => ({ kind: 'refused', reason, permanent: false });

export const refusedForGood = (reason: string): Outcome => ({ kind: 'refused', reason, permanent: true });

export const unknown = (reason: string): Unknown => ({ kind: 'unknown', reason, suspect: false });

export const suspect = (reason: string): Outcome => ({ kind: 'unknown', reason, suspect: true });

/** Nothing was sent, and the message waits for what is missing here; it uses no attempt. */
export const lacking = (reason: string): Unknown => ({ ...unknown(reason), unsent: 'lacking' });

/** Nothing was sent, so that one slow destination does not hold the places of others; likewise. */
export const busy = (reason: string): Unknown => ({ ...unknown(reason), unsent: 'busy' });

/** For what comes from a channel of somebody else. */
export const isOutcome = (answer: unknown): answer is Outcome =>
  typeof answer === 'object' &&
  answer !== null &&
  'kind' in answer &&
  (answer.kind === 'confirmed' ||
    ((answer.kind === 'refused' || answer.kind === 'unknown') &&
      'reason' in answer &&
      typeof answer.reason === 'string'));

/** What an attempt that did not end confirmed is counted as. */
export const failureOf = (outcome: Exclude<Outcome, { kind: 'confirmed' }>): 'refused' | 'unknown' | Unsent =>
  (outcome.kind === 'unknown' ? outcome.unsent : undefined) ?? outcome.kind;

/** A receiver may ask for a rest, not for the row to be parked for 300 years. */
export const LONGEST_PAUSE_MS = 3_600_000;

/** What the destination asked for, whole seconds in ms: 0 when it asked for nothing, or for what is no time. */
export function pauseOf(outcome: Outcome): number {
  const { pauseMs = 0 } = outcome.kind === 'confirmed' ? {} : outcome;
  return Number.isFinite(pauseMs) ? Math.min(Math.max(0, Math.ceil(pauseMs / 1000) * 1000), LONGEST_PAUSE_MS) : 0;
}
