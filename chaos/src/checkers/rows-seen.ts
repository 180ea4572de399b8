import type { Books, MessageRow, NoteRow, Transition } from '../facts.js';

/** A row of a message table, wherever it stands. */
export interface RowSeen {
  readonly database: Transition['database'];
  readonly table: Transition['table'];
  readonly row: MessageRow | NoteRow;
}

export const rowKey = ({ database, table, id }: Pick<Transition, 'database' | 'table' | 'id'>): string =>
  `${database} ${table} ${id}`;

/** Every row of both message tables in both databases, by {@link rowKey}. */
export function rowsSeen({
  orderMessages,
  decisionMessages,
  deductionNotes,
  decisionNotes,
}: Books): Map<string, RowSeen> {
  const rows = new Map<string, RowSeen>();
  const add = (database: RowSeen['database'], table: RowSeen['table'], found: readonly RowSeen['row'][]): void => {
    for (const row of found) rows.set(rowKey({ database, table, id: row.id }), { database, table, row });
  };
  add('order', 'producer_message', orderMessages);
  add('inventory', 'producer_message', decisionMessages);
  add('inventory', 'consumer_message', deductionNotes);
  add('order', 'consumer_message', decisionNotes);
  return rows;
}
