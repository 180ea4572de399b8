import type { Database } from '@counterfoil/message-table';
import { asNumber, selectRows } from '@counterfoil/message-table/rows';

export type Place = 'live' | 'archive';

export interface Message {
  readonly id: string;
  readonly messageId: string;
  readonly taskName: string;
  readonly status: 'PENDING' | 'SENDING' | 'SENT' | 'FAILED';
  readonly errorMsg: string | null;
  /** Since it was accepted, ms. */
  readonly ageMs: number;
  /** Since its last change, ms. */
  readonly restingMs: number;
  /** From its content. */
  readonly orderId: string | null;
  readonly outcome: string | null;
}

type Row = Omit<Message, 'ageMs' | 'restingMs' | 'orderId' | 'outcome'> & {
  readonly ageMs: number | string;
  readonly restingMs: number | string;
  readonly content: string;
};

// Our bodies are short; of a longer one no more is carried over, and it names no order.
const COLUMNS = `
  SELECT id, message_id AS messageId, task_name AS taskName, status, LEFT(error_msg, 300) AS errorMsg, LEFT(content, 400) AS content,
         TIMESTAMPDIFF(MICROSECOND, create_time, NOW(3)) / 1000 AS ageMs,
         TIMESTAMPDIFF(MICROSECOND, update_time, NOW(3)) / 1000 AS restingMs`;

const page = (table: string): string => `${COLUMNS} FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`;
const byMessage = (table: string): string => `${COLUMNS} FROM ${table} WHERE message_id IN (?)`;

const SQL = {
  live: { page: page('producer_message'), byMessage: byMessage('producer_message') },
  archive: { page: page('producer_message_archive'), byMessage: byMessage('producer_message_archive') },
} as const;

/** Of every task: a filter would make one statement walk over all rows of others. */
export async function messagesAfter(db: Database, place: Place, afterId: string, limit: number): Promise<Message[]> {
  return (await selectRows<Row>(db.knex, SQL[place].page, [asNumber(afterId), limit])).map(messageOf);
}

/** By message id, from one of the two tables. */
export async function messagesIn(db: Database, place: Place, messageIds: readonly string[]): Promise<Message[]> {
  if (messageIds.length === 0) return [];
  return (await selectRows<Row>(db.knex, SQL[place].byMessage, [messageIds])).map(messageOf);
}

/** By message id, wherever they stand. First the live table: what is archived meanwhile is found in the archive. */
export async function findMessages(db: Database, messageIds: readonly string[]): Promise<Map<string, Message>> {
  const found = new Map((await messagesIn(db, 'live', messageIds)).map((message) => [message.messageId, message]));
  const missing = messageIds.filter((id) => !found.has(id));
  for (const message of await messagesIn(db, 'archive', missing)) found.set(message.messageId, message);
  return found;
}

function messageOf({ content, ageMs, restingMs, ...row }: Row): Message {
  return { ...row, ageMs: Number(ageMs), restingMs: Number(restingMs), ...namedIn(content) };
}

function namedIn(content: string): Pick<Message, 'orderId' | 'outcome'> {
  try {
    const { orderId, outcome } = JSON.parse(content) as { orderId?: unknown; outcome?: unknown };
    return { orderId: textOrNull(orderId), outcome: textOrNull(outcome) };
  } catch {
    return { orderId: null, outcome: null };
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
