import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

import type { World } from '../world/world.js';

/** Work that has not come to its end. FAILED is an end; an order whose message FAILED stays CREATED for good. */
const OPEN = {
  messages: `SELECT COUNT(*) AS count FROM producer_message FORCE INDEX (for_claim) WHERE status IN ('PENDING', 'SENDING')`,
  notes: `SELECT COUNT(*) AS count FROM consumer_message FORCE INDEX (for_retry) WHERE status IN ('PENDING_RETRY', 'RETRYING')`,
  orders: `SELECT COUNT(*) AS count FROM orders WHERE status = 'CREATED'`,
  failedMessages: `SELECT COUNT(*) AS count FROM producer_message FORCE INDEX (for_claim) WHERE status = 'FAILED'`,
  failedNotes: `SELECT COUNT(*) AS count FROM consumer_message FORCE INDEX (for_retry) WHERE status = 'FAILED'`,
} as const;

export interface OpenWork {
  /** Rows that somebody still has to act on. */
  readonly rows: number;
  /** Orders without a decision, beyond those that a FAILED message or note keeps from one. */
  readonly undecided: number;
}

export async function countOpenWork({ stack }: World): Promise<OpenWork> {
  const orders = await createConnection({ uri: stack.orderDb.url, connectTimeout: 3_000 });
  const inventory = await createConnection({ uri: stack.inventoryDb.url, connectTimeout: 3_000 });
  try {
    const counts = await Promise.all([
      count(orders, OPEN.messages),
      count(inventory, OPEN.messages),
      count(orders, OPEN.notes),
      count(inventory, OPEN.notes),
    ]);
    const undecided = await count(orders, OPEN.orders);
    const failed = await Promise.all([
      count(orders, OPEN.failedMessages),
      count(inventory, OPEN.failedMessages),
      count(inventory, OPEN.failedNotes),
    ]);
    return { rows: sum(counts), undecided: Math.max(0, undecided - sum(failed)) };
  } finally {
    orders.destroy();
    inventory.destroy();
  }
}

async function count(connection: Connection, sql: string): Promise<number> {
  const [rows] = await connection.query<RowDataPacket[]>(sql);
  return Number(rows[0]?.['count']);
}

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
