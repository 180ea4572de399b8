import type { CheckedCommand } from './command.js';
import { taken } from './insert-once.js';
import { contentHash, isSameCommand } from './same-command.js';
import { headersText } from './store/insert.js';

/**
 * The commands of one batch, each message id once, in ascending order: batches that share some then lock them in the
 * same order.
 *
 * @throws MessageTableError `MESSAGE_ID_TAKEN` when two different commands of the batch have one id
 */
export function onceEach(commands: readonly CheckedCommand[]): CheckedCommand[] {
  const once = new Map<string, CheckedCommand>();
  for (const command of commands) {
    const first = once.get(command.messageId);
    if (first === undefined) once.set(command.messageId, command);
    else if (!isSame(first, command)) throw taken(command.messageId);
  }
  return [...once.values()].sort((a, b) => (a.messageId < b.messageId ? -1 : 1));
}

const isSame = (first: CheckedCommand, second: CheckedCommand): boolean =>
  isSameCommand(
    { ...second, headers: headersText(second.headers) },
    { ...first, id: '', headers: headersText(first.headers), contentHash: contentHash(first.content) },
  );
