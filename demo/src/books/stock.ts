import type { Pool } from 'mysql2/promise';

import { rowsOf } from './database.js';

export async function totalStock(inventory: Pool): Promise<bigint> {
  const [row] = await rowsOf<{ total: string | null }>(inventory, 'SELECT SUM(stock) AS total FROM product');
  return BigInt(row?.total ?? 0);
}

/** By product id. */
export async function readStock(inventory: Pool): Promise<Map<number, bigint>> {
  const rows = await rowsOf<{ id: string; stock: string }>(inventory, 'SELECT id, stock FROM product');
  return new Map(rows.map(({ id, stock }) => [Number(id), BigInt(stock)]));
}
