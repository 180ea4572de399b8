import type { Database } from '@counterfoil/message-table';
import { asNumber, selectRows } from '@counterfoil/message-table/rows';

export interface Order {
  readonly id: string;
  readonly messageId: string;
  readonly productId: string;
  readonly status: 'CREATED' | 'CONFIRMED' | 'REJECTED';
}

const COLUMNS = 'SELECT id, message_id AS messageId, product_id AS productId, status FROM orders';

const PAGE = `${COLUMNS} WHERE id > ? ORDER BY id LIMIT ?`;

export const ordersAfter = (db: Database, afterId: string, limit: number): Promise<Order[]> =>
  selectRows(db.knex, PAGE, [asNumber(afterId), limit]);

const BY_ID = `${COLUMNS} WHERE id IN (?)`;

export async function ordersById(db: Database, ids: readonly string[]): Promise<Map<string, Order>> {
  if (ids.length === 0) return new Map();
  const rows = await selectRows<Order>(db.knex, BY_ID, [ids.map(asNumber)]);
  return new Map(rows.map((order) => [order.id, order]));
}

const PRODUCTS = 'SELECT id FROM product WHERE id IN (?)';

/** Those of the ids that are there. */
export async function productsThere(db: Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await selectRows<{ id: string }>(db.knex, PRODUCTS, [ids.map(asNumber)]);
  return new Set(rows.map(({ id }) => id));
}
