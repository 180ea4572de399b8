import type { Database } from '@counterfoil/message-table';
import { asNumber, selectRows } from '@counterfoil/message-table/rows';

import type { Place } from './messages.js';

export interface Note {
  readonly id: string;
  readonly messageId: string;
  /** The effect that it is about. */
  readonly consumer: string;
  readonly status: 'SUCCESS' | 'PENDING_RETRY' | 'RETRYING' | 'FAILED';
  readonly errorMsg: string | null;
  /** Since the message came first, ms. */
  readonly ageMs: number;
}

type Row = Omit<Note, 'ageMs'> & { readonly ageMs: number | string };

const COLUMNS = `
  SELECT id, message_id AS messageId, consumer, status, LEFT(error_msg, 300) AS errorMsg,
         TIMESTAMPDIFF(MICROSECOND, first_consume_time, NOW(3)) / 1000 AS ageMs`;

const page = (table: string): string => `${COLUMNS} FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`;
const byMessage = (table: string): string => `${COLUMNS} FROM ${table} WHERE message_id IN (?) AND consumer = ?`;

const SQL = {
  live: { page: page('consumer_message'), byMessage: byMessage('consumer_message') },
  archive: { page: page('consumer_message_archive'), byMessage: byMessage('consumer_message_archive') },
} as const;

/** Of every effect: a filter would make one statement walk over all rows of others. */
export async function notesAfter(db: Database, place: Place, afterId: string, limit: number): Promise<Note[]> {
  return (await selectRows<Row>(db.knex, SQL[place].page, [asNumber(afterId), limit])).map(noteOf);
}

export interface NotesWanted {
  readonly consumer: string;
  readonly messageIds: readonly string[];
}

/** By message id, from one of the two tables. */
export async function notesIn(db: Database, place: Place, { consumer, messageIds }: NotesWanted): Promise<Note[]> {
  if (messageIds.length === 0) return [];
  return (await selectRows<Row>(db.knex, SQL[place].byMessage, [messageIds, consumer])).map(noteOf);
}

/** By message id, wherever they stand. First the live table: what is archived meanwhile is found in the archive. */
export async function findNotes(db: Database, { consumer, messageIds }: NotesWanted): Promise<Map<string, Note>> {
  const live = await notesIn(db, 'live', { consumer, messageIds });
  const found = new Map(live.map((note) => [note.messageId, note]));
  const missing = messageIds.filter((id) => !found.has(id));
  for (const note of await notesIn(db, 'archive', { consumer, messageIds: missing })) found.set(note.messageId, note);
  return found;
}

const noteOf = ({ ageMs, ...row }: Row): Note => ({ ...row, ageMs: Number(ageMs) });
