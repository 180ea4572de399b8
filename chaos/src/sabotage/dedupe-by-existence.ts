/** Removes: the status of a note decides, not its existence. A message that is owed a redelivery has a note, so it counts as done. */
import { replace } from './replace.js';

type Handle = (tools: unknown, claim: unknown, effect: object) => Promise<unknown>;

const nothing = (): Promise<void> => Promise.resolve();

replace(
  'message-table/consumer/handle-claim',
  'handleClaim',
  (original: Handle): Handle =>
    (tools, claim, effect) =>
      original(tools, claim, { ...effect, apply: nothing }),
);
