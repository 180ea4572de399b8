/** Removes: only a refusal uses an attempt. One that got no answer uses one as well; all that keeps an outage from being tried stays. */
import { replace } from './replace.js';

interface Outcome {
  readonly kind: string;
}

type Decide = (outcome: Outcome, attempt: unknown) => unknown;

replace(
  'message-table/producer/decide',
  'decide',
  (original: Decide): Decide =>
    (outcome, attempt) =>
      original(outcome.kind === 'unknown' ? { ...outcome, kind: 'refused' } : outcome, attempt),
);
