import { asNumber, changeRows, selectRows, type Runner } from '@counterfoil/message-table/rows';

import type { Order, OrderRequest } from './order.js';

/** The only SQL on orders. */

export interface NewOrder {
  readonly id: string;
  readonly messageId: string;
  readonly request: OrderRequest;
}

const INSERT_HEAD = `
  INSERT INTO orders
    (id, product_id, quantity, idempotency_key, request_hash, message_id, status, create_time, update_time)
  VALUES `;

/** @throws the driver's error; a key that is taken shows as a duplicate of `one_order`, an order of ours that is there already as one of `PRIMARY` */
export async function insertOrders(trx: Runner, orders: readonly NewOrder[]): Promise<void> {
  const rows = orders.map(() => `(?, ?, ?, ?, ?, ?, 'CREATED', NOW(3), NOW(3))`).join(', ');
  const bindings = orders.flatMap(({ id, messageId, request }) => [
    asNumber(id),
    request.productId,
    request.quantity,
    request.idempotencyKey,
    request.requestHash,
    messageId,
  ]);
  await changeRows(trx, INSERT_HEAD + rows, bindings);
}

export interface StoredOrder extends Order {
  readonly idempotencyKey: string | null;
  readonly requestHash: string;
}

const COLUMNS = `id, product_id AS productId, quantity, status, reason, message_id AS messageId,
         idempotency_key AS idempotencyKey, request_hash AS requestHash`;

export async function findOrder(db: Runner, id: string): Promise<StoredOrder | null> {
  const [row] = await selectRows<StoredRow>(db, `SELECT ${COLUMNS} FROM orders WHERE id = ?`, [asNumber(id)]);
  return row === undefined ? null : toOrder(row);
}

/** By idempotency key. */
export async function findOrdersByKey(db: Runner, keys: readonly string[]): Promise<Map<string, StoredOrder>> {
  const rows = await selectRows<StoredRow>(db, `SELECT ${COLUMNS} FROM orders WHERE idempotency_key IN (?)`, [keys]);
  return new Map(rows.map((row) => [row.idempotencyKey ?? '', toOrder(row)]));
}

const MESSAGE_IDS = `SELECT message_id AS messageId FROM orders WHERE id IN (?)`;

export async function findMessageIds(db: Runner, ids: readonly string[]): Promise<Set<string>> {
  const rows = await selectRows<{ messageId: string }>(db, MESSAGE_IDS, [ids.map(asNumber)]);
  return new Set(rows.map(({ messageId }) => messageId));
}

const DECIDE = `
  UPDATE orders FORCE INDEX (PRIMARY)
     SET status = ?, reason = ?, update_time = NOW(3)
   WHERE id IN (?) AND status = 'CREATED'`;

/** CREATED → CONFIRMED or REJECTED. @returns how many were CREATED */
export const decideOrders = (
  trx: Runner,
  outcome: 'CONFIRMED' | 'REJECTED',
  reason: string | null,
  ids: readonly string[],
): Promise<number> => changeRows(trx, DECIDE, [outcome, reason, ids.map(asNumber)]);

const STATES = `SELECT id, status FROM orders WHERE id IN (?)`;

export async function findStates(trx: Runner, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await selectRows<{ id: string; status: string }>(trx, STATES, [ids.map(asNumber)]);
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** BIGINT columns arrive as strings; a product id is below 2^53. */
type StoredRow = Omit<StoredOrder, 'productId'> & { readonly productId: string };

const toOrder = (row: StoredRow): StoredOrder => ({ ...row, productId: Number(row.productId) });
