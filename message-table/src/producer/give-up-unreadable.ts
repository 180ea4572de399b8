import type { MessageTableEvents } from '../observe/events.js';
import type { Unreadable } from './load-messages.js';
import type { Settler } from './settler.js';

/** Settles rows that no attempt can send, for a person to decide. Never rejects. */
export async function giveUpUnreadable(
  rows: readonly Unreadable[],
  { settler, events }: { readonly settler: Settler; readonly events: MessageTableEvents },
): Promise<void> {
  await Promise.all(
    rows.map(({ claim, taskName, channel, reason }) => {
      const { messageId, retryCount } = claim;
      const facts = { messageId, taskName, channel, kind: 'refused', reason, to: 'FAILED', tookMs: null } as const;
      events.emit('attemptFailed', { ...facts, attempt: retryCount + 1 });
      return settler.settle({ claim, settlement: { to: 'FAILED', reason, attemptUsed: true } });
    }),
  );
}
