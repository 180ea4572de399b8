/** Removes: trouble of a receiver that takes nothing is not the message's fault. It always uses an attempt, and no breaker opens. */
import { replace } from './replace.js';

type ToOutcome = (ending: unknown, hostAnswers: boolean) => unknown;

replace(
  'message-table/channels/http/answers',
  'toOutcome',
  (original: ToOutcome): ToOutcome =>
    (ending) =>
      original(ending, true),
);
