import type { Books, Transition } from '../facts.js';
import { isNemesisMessage } from './expected-failures.js';
import { groupBy } from './lookup.js';
import { rowKey, rowsSeen } from './rows-seen.js';

/** A row has moved as often as its version says, and stands where its last move left it. */
export function ledgerAgainstRows(books: Books): string[] {
  const rows = rowsSeen(books);
  const moves = groupBy(books.transitions, rowKey);
  const strangers = [...moves.keys()]
    .filter((key) => !rows.has(key))
    .map((key) => `${key} moved and is no row any more`);
  const wrong = [...rows].flatMap(([key, { row }]) => {
    const last = moves.get(key)?.at(-1);
    if (row.version !== (last?.toVersion ?? 0))
      return [`${key} has version ${String(row.version)} and moved to ${String(last?.toVersion ?? 0)}`];
    if (last !== undefined && last.to !== row.status) return [`${key} is ${row.status} and moved to ${last.to}`];
    return [];
  });
  return [...strangers, ...wrong];
}

/** An attempt is published at most once, so the tap sees a message at most as often as it was held for sending. */
export function tapAgainstLedger(books: Books): string[] {
  const { tap, decisionTap, transitions } = books;
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
      if (table !== 'producer_message' || isNemesisMessage(messageId)) return [];
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
