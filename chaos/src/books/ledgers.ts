import { indexOfKey } from '@counterfoil/loadtest';
import type { Connection } from 'mysql2/promise';

import type { PlacedOrder, StockChange, Transition } from '../facts.js';
import { number, readPages, readRows, text, textOrNull } from './pages.js';

const PLACED = `
  SELECT sequence, order_id, product_id, quantity, order_key
    FROM chaos_order_ledger
   WHERE sequence > ?
   ORDER BY sequence
   LIMIT ?`;

/** @param run the load's: orders are keyed `<run>-<index>` */
export async function readPlaced(orders: Connection, run: string): Promise<PlacedOrder[]> {
  await mustHaveTriggers(orders, ['chaos_order_placed']);
  return readPages(orders, PLACED, ([, orderId, productId, quantity, key]) => ({
    orderId: text(orderId),
    index: indexOfKey(run, textOrNull(key)),
    productId: number(productId),
    quantity: number(quantity),
  }));
}

const STOCK_CHANGES = `
  SELECT sequence, product_id, stock_before, stock_after
    FROM chaos_stock_ledger
   WHERE sequence > ?
   ORDER BY sequence
   LIMIT ?`;

export async function readStockChanges(inventory: Connection): Promise<StockChange[]> {
  await mustHaveTriggers(inventory, ['chaos_stock_changed']);
  return readPages(inventory, STOCK_CHANGES, ([, productId, before, after]) => ({
    productId: number(productId),
    before: BigInt(text(before)),
    after: BigInt(text(after)),
  }));
}

const TRANSITIONS = `
  SELECT sequence, side, row_id, status_before, version_before, status_after, version_after, retry_count_rose, lost_count_rose
    FROM chaos_transition_ledger
   WHERE sequence > ?
   ORDER BY sequence
   LIMIT ?`;

export async function readTransitions(connection: Connection, database: Transition['database']): Promise<Transition[]> {
  await mustHaveTriggers(connection, ['chaos_producer_moved', 'chaos_consumer_moved']);
  return readPages(connection, TRANSITIONS, (cells) => ({
    database,
    table: cells[1] === 'producer' ? 'producer_message' : 'consumer_message',
    id: text(cells[2]),
    from: text(cells[3]),
    fromVersion: number(cells[4]),
    to: text(cells[5]),
    toVersion: number(cells[6]),
    retryCountRose: cells[7] === 1,
    lostCountRose: cells[8] === 1,
  }));
}

const TRIGGERS = `SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()`;

/** A ledger whose trigger is gone looks like one in which nothing happened. */
async function mustHaveTriggers(connection: Connection, wanted: readonly string[]): Promise<void> {
  const there = (await readRows(connection, TRIGGERS)).map(([name]) => name);
  const missing = wanted.filter((name) => !there.includes(name));
  if (missing.length > 0) throw new Error(`the trigger ${missing.join(', ')} is gone`);
}
