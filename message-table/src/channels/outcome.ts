/**
 * How one attempt to send a message ended.
 *
 * - `confirmed`: the destination has it and will keep it.
 * - `refused`: the destination said no to this message; it uses one of its attempts.
 *   `permanent` means that another attempt cannot end differently.
 * - `unknown`: no answer; it may or may not have arrived. An outage is not the message's
 *   fault, so no attempt is used. `suspect` means that the destination cut the line for a
 *   reason of its own while this message was in flight: it is sent alone next time.
 *
 * `pauseMs`: the destination asked to be left alone for at least so long; already bounded by its channel.
 */
export type Outcome =
  | Readonly<{ kind: 'confirmed' }>
  | Readonly<{ kind: 'refused'; reason: string; permanent: boolean; pauseMs?: number }>
  | Readonly<{ kind: 'unknown'; reason: string; suspect: boolean; pauseMs?: number }>;

export const CONFIRMED: Outcome = { kind: 'confirmed' };

export const refused = (reason: string): Outcome => ({ kind: 'refused', reason, permanent: false });

export const refusedForGood = (reason: string): Outcome => ({ kind: 'refused', reason, permanent: true });

export const unknown = (reason: string): Outcome => ({ kind: 'unknown', reason, suspect: false });

export const suspect = (reason: string): Outcome => ({ kind: 'unknown', reason, suspect: true });
