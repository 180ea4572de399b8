import type { Connection } from 'mysql2/promise';

import type { Books, MessageRow, NoteRow, OrderRow } from '../facts.js';
import { number, readPages, text, textOrNull, type Cell } from './pages.js';

const ORDERS = `
  SELECT id, message_id, idempotency_key, status
    FROM orders
   WHERE id > ?
   ORDER BY id
   LIMIT ?`;

export const readOrders = (orders: Connection): Promise<OrderRow[]> =>
  readPages(orders, ORDERS, ([id, messageId, key, status]) => ({
    orderId: text(id),
    messageId: text(messageId),
    idempotencyKey: textOrNull(key),
    status: text(status),
  }));

// Our bodies are short; of a longer one no more than this is carried over, and it names no order.
const messagesIn = (table: string): string => `
  SELECT id, message_id, LEFT(content, 400), status, retry_count, lost_count, LEFT(error_msg, 400), version
    FROM ${table}
   WHERE id > ?
   ORDER BY id
   LIMIT ?`;

/** Those that were archived meanwhile as well. */
export async function readMessages(connection: Connection): Promise<MessageRow[]> {
  const hot = await readPages(connection, messagesIn('producer_message'), toMessage);
  const archived = await readPages(connection, messagesIn('producer_message_archive'), toMessage);
  return archived.length === 0 ? hot : [...hot, ...archived];
}

function toMessage([id, messageId, content, status, retryCount, lostCount, errorMsg, version]: Cell[]): MessageRow {
  return {
    id: text(id),
    messageId: text(messageId),
    ...namedIn(text(content)),
    status: text(status),
    retryCount: number(retryCount),
    lostCount: number(lostCount),
    errorMsg: textOrNull(errorMsg),
    version: number(version),
  };
}

function namedIn(content: string): Pick<MessageRow, 'orderId' | 'outcome'> {
  try {
    const { orderId, outcome } = JSON.parse(content) as { orderId?: unknown; outcome?: unknown };
    return {
      orderId: typeof orderId === 'string' ? orderId : '',
      outcome: typeof outcome === 'string' ? outcome : null,
    };
  } catch {
    return { orderId: '', outcome: null };
  }
}

const notesIn = (table: string, consumer: string): string => `
  SELECT id, message_id, status, LEFT(error_msg, 400), version
    FROM ${table}
   WHERE id > ? AND consumer = '${consumer}'
   ORDER BY id
   LIMIT ?`;

/** @param consumer the name of the effect */
export async function readNotes(
  connection: Connection,
  consumer: 'inventory.deduct' | 'order.deduction-decided',
): Promise<NoteRow[]> {
  const hot = await readPages(connection, notesIn('consumer_message', consumer), toNote);
  const archived = await readPages(connection, notesIn('consumer_message_archive', consumer), toNote);
  return archived.length === 0 ? hot : [...hot, ...archived];
}

const toNote = ([id, messageId, status, errorMsg, version]: Cell[]): NoteRow => ({
  id: text(id),
  messageId: text(messageId),
  status: text(status),
  errorMsg: textOrNull(errorMsg),
  version: number(version),
});

// A pause moves no message.
const ACTIONS = `
  SELECT id, message_id, action
    FROM message_action
   WHERE id > ? AND side <> 'pause'
   ORDER BY id
   LIMIT ?`;

type RecordedAction = Books['actions'][number];

export const readActions = (connection: Connection, database: RecordedAction['database']): Promise<RecordedAction[]> =>
  readPages(connection, ACTIONS, ([, messageId, action]) => ({
    database,
    messageId: text(messageId),
    action: text(action),
  }));
