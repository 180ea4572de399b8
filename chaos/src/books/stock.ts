import type { Connection } from 'mysql2/promise';

import { number, openForReading, readPages, text } from './pages.js';

const STOCK = `
  SELECT id, stock
    FROM product
   WHERE id > ?
   ORDER BY id
   LIMIT ?`;

export async function readStock(inventory: Connection): Promise<Map<number, bigint>> {
  const rows = await readPages(inventory, STOCK, ([id, stock]) => [number(id), BigInt(text(stock))] as const);
  return new Map(rows);
}

/** What the products have before the load. */
export async function readStartStock(inventoryDb: string): Promise<Map<number, bigint>> {
  const connection = await openForReading(inventoryDb);
  try {
    return await readStock(connection);
  } finally {
    connection.destroy();
  }
}
