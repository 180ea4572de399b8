/** Removes: an unreadable body leaves its batch alone. Whatever was delivered with one is given up for it. */
import { PermanentError } from '@counterfoil/message-table';

import { built, replace } from './replace.js';

interface Received {
  readonly messageId: string;
  readonly problem?: string;
}

interface Tools {
  readonly effect: { read(received: Received): unknown };
}

type Handle = (tools: Tools, messages: readonly Received[]) => Promise<Map<string, unknown>>;
type Record = (tools: Tools, received: Received, error: unknown) => Promise<unknown>;

const { recordFailure } = built('message-table/consumer/record-failure') as { recordFailure: Record };

/** Why it cannot be read, or null. */
function problemOf({ effect }: Tools, received: Received): unknown {
  if (received.problem !== undefined) return new PermanentError(received.problem);
  try {
    effect.read(received);
    return null;
  } catch (error) {
    return error;
  }
}

replace(
  'message-table/consumer/handle-together',
  'handleTogether',
  (original: Handle): Handle =>
    async (tools, messages) => {
      const problem = messages.map((received) => problemOf(tools, received)).find((one) => one !== null);
      if (problem === undefined) return original(tools, messages);
      const endings = new Map<string, unknown>();
      for (const received of messages) endings.set(received.messageId, await recordFailure(tools, received, problem));
      return endings;
    },
);
