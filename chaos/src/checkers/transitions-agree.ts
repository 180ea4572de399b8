import { sentTo } from '../recorder/seen-request.js';
import type { Books, MessageRow, NoteRow, Transition } from '../facts.js';
import { groupBy } from './lookup.js';
import { rowKey, rowsSeen } from './rows-seen.js';

/** A row has moved as often as its version says, stands where its last move left it, and has the attempts that were counted. */
export function ledgerAgainstRows(books: Books): string[] {
  const rows = rowsSeen(books);
  const moves = groupBy(books.transitions, rowKey);
  const strangers = [...moves.keys()]
    .filter((key) => !rows.has(key))
    .map((key) => `${key} moved and is no row any more`);
  const wrong = [...rows].flatMap(([key, { row }]) => {
    const says = mismatch(row, moves.get(key) ?? []);
    return says === null ? [] : [`${key} ${says}`];
  });
  return [...strangers, ...wrong];
}

function mismatch(row: MessageRow | NoteRow, moves: readonly Transition[]): string | null {
  const last = moves.at(-1);
  const version = last?.toVersion ?? 0;
  if (row.version !== version) return `has version ${String(row.version)} and moved to ${String(version)}`;
  if (last !== undefined && last.to !== row.status) return `is ${row.status} and moved to ${last.to}`;
  // Only messages: a note is inserted with its first attempt counted, and by then it may have been of either kind.
  if (!('retryCount' in row) || row.retryCount === attemptsCounted(moves)) return null;
  return `counts ${String(row.retryCount)} attempts and used ${String(attemptsCounted(moves))}`;
}

/** A person who sends a message again gives it all its attempts back. */
function attemptsCounted(moves: readonly Transition[]): number {
  const again = moves.findLastIndex(({ from, to }) => (from === 'FAILED' || from === 'SENT') && to === 'PENDING');
  return moves.slice(again + 1).filter(({ retryCountRose }) => retryCountRose).length;
}

/** An attempt is sent at most once, so tap and recorder see a message at most as often as it was held for sending. */
export function tapAgainstLedger(books: Books): string[] {
  const { decisionTap, transitions, http } = books;
  const tap = http === null ? books.tap : sentTo(http);
  if (tap === null || decisionTap === null) return [];
  const rows = rowsSeen(books);
  const moves = groupBy(transitions, rowKey);
  return [...rows].flatMap(
    ([
      key,
      {
        database,
        table,
        row: { messageId, status },
      },
    ]) => {
      if (table !== 'producer_message') return [];
      const seen = (database === 'order' ? tap : decisionTap).get(messageId) ?? 0;
      const attempts = timesHeld(moves.get(key) ?? [], status);
      return seen > attempts ? [`${key} was published ${String(seen)} times in ${String(attempts)} attempts`] : [];
    },
  );
}

function timesHeld(moves: readonly Transition[], status: string): number {
  const insertedAs = moves[0]?.from ?? status;
  return moves.filter(({ to }) => to === 'SENDING').length + (insertedAs === 'SENDING' ? 1 : 0);
}
