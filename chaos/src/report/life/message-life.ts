import type { Books, MessageRow, NoteRow, Transition } from '../../facts.js';
import { event, type LifeEvent } from './event.js';

/** A message of the producer's table: how it moved, what became of it, how often it was seen on the wire. */
export function messageLife(books: Books, database: Transition['database'], row: MessageRow): LifeEvent[] {
  const { id, messageId, outcome, status, version, retryCount, lostCount, errorMsg } = row;
  const what = outcome === null ? 'deduction' : `decision ${outcome}`;
  const tap = database === 'order' ? books.tap : books.decisionTap;
  const counts = `${String(retryCount)} attempts failed, ${String(lostCount)} leases lost`;
  return [
    ...moves(books, { database, table: 'producer_message', id }),
    event(
      `${database} producer_message`,
      `${what} ${messageId}: ${status}, version ${String(version)}, ${counts}${because(errorMsg)}`,
    ),
    ...(tap === null ? [] : [event('tap', `${messageId} was published ${String(tap.get(messageId) ?? 0)} times`)]),
  ];
}

/** Notes of the consumer's table about these messages. */
export function noteLife(
  books: Books,
  database: Transition['database'],
  notes: readonly NoteRow[],
  messageIds: ReadonlySet<string>,
): LifeEvent[] {
  const who = `${database} consumer_message`;
  const found = notes.filter(({ messageId }) => messageIds.has(messageId));
  if (found.length === 0) return [event(who, 'no note')];
  return found.flatMap(({ id, messageId, status, version, errorMsg }) => [
    ...moves(books, { database, table: 'consumer_message', id }),
    event(who, `note of ${messageId}: ${status}, version ${String(version)}${because(errorMsg)}`),
  ]);
}

function moves(books: Books, row: Pick<Transition, 'database' | 'table' | 'id'>): LifeEvent[] {
  const own = books.transitions.filter(
    ({ database, table, id }) => id === row.id && table === row.table && database === row.database,
  );
  return own.map(({ from, fromVersion, to, toVersion, retryCountRose, lostCountRose }) =>
    event(
      `${row.database} transitions`,
      `${from} v${String(fromVersion)} → ${to} v${String(toVersion)}${retryCountRose ? ', an attempt failed' : ''}${lostCountRose ? ', a lease was lost' : ''}`,
    ),
  );
}

const because = (errorMsg: string | null): string => (errorMsg === null ? '' : `: ${errorMsg}`);
