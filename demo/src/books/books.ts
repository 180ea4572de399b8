import type { Pool } from 'mysql2/promise';

import { pagesOf, rowsOf } from './database.js';
import { readStock } from './stock.js';

/** An order as the order database has it, with the message that stands beside it. */
export interface BookedOrder {
  readonly key: string | null;
  readonly productId: number;
  readonly quantity: number;
  readonly status: 'CREATED' | 'CONFIRMED' | 'REJECTED';
  readonly messageId: string;
  /** Null when the order has no message. */
  readonly messageStatus: string | null;
}

/** What the two databases say after the run. */
export interface Books {
  readonly orders: readonly BookedOrder[];
  /** Messages in the order database. */
  readonly messages: number;
  /** Message id → status of its note in the inventory's inbox. */
  readonly deductions: ReadonlyMap<string, string>;
  /** Decisions in the inventory's outbox that were sent, and those whose note in the order database is a success. */
  readonly decisionsSent: number;
  readonly decisionsNoted: number;
  readonly stock: ReadonlyMap<number, bigint>;
}

const ORDERS_WITH_MESSAGES = `
  SELECT o.id, o.idempotency_key AS orderKey, o.product_id AS productId, o.quantity, o.status, o.message_id AS messageId,
         m.status AS messageStatus
    FROM orders o
    LEFT JOIN producer_message m ON m.message_id = o.message_id
   WHERE o.id > ?
   ORDER BY o.id
   LIMIT ?`;

const DEDUCTIONS = `
  SELECT id, message_id AS messageId, status
    FROM consumer_message
   WHERE id > ? AND consumer = 'inventory.deduct'
   ORDER BY id
   LIMIT ?`;

const MESSAGES = 'SELECT COUNT(*) AS n FROM producer_message';
const SENT_MESSAGES = `SELECT COUNT(*) AS n FROM producer_message WHERE status = 'SENT'`;
const SUCCESSFUL_NOTES = `SELECT COUNT(*) AS n FROM consumer_message WHERE consumer = 'order.deduction-decided' AND status = 'SUCCESS'`;

export async function readBooks(orders: Pool, inventory: Pool): Promise<Books> {
  return {
    orders: await readOrders(orders),
    messages: await countOf(orders, MESSAGES),
    deductions: await readDeductionNotes(inventory),
    decisionsSent: await countOf(inventory, SENT_MESSAGES),
    decisionsNoted: await countOf(orders, SUCCESSFUL_NOTES),
    stock: await readStock(inventory),
  };
}

interface OrderRow extends Omit<BookedOrder, 'key' | 'productId' | 'quantity'> {
  readonly id: string;
  readonly orderKey: string | null;
  readonly productId: string;
  readonly quantity: string;
}

async function readOrders(pool: Pool): Promise<BookedOrder[]> {
  const booked: BookedOrder[] = [];
  for await (const rows of pagesOf<OrderRow>(pool, ORDERS_WITH_MESSAGES)) {
    for (const { orderKey, productId, quantity, status, messageId, messageStatus } of rows) {
      booked.push({
        key: orderKey,
        productId: Number(productId),
        quantity: Number(quantity),
        status,
        messageId,
        messageStatus,
      });
    }
  }
  return booked;
}

async function readDeductionNotes(pool: Pool): Promise<Map<string, string>> {
  const notes = new Map<string, string>();
  for await (const rows of pagesOf<{ id: string; messageId: string; status: string }>(pool, DEDUCTIONS)) {
    for (const { messageId, status } of rows) notes.set(messageId, status);
  }
  return notes;
}

async function countOf(pool: Pool, sql: string): Promise<number> {
  const [row] = await rowsOf<{ n: string }>(pool, sql);
  return Number(row?.n ?? 0);
}
