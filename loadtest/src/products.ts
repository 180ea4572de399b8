import { createConnection } from 'mysql2/promise';

import { INITIAL_STOCK } from './workload.js';

const ROWS_PER_STATEMENT = 1_000;
const INSERT = 'INSERT INTO product (id, name, stock, update_time) VALUES ?';

/** Thousands of PUTs would take longer than the load itself, so the products go straight into the inventory database. */
export async function insertProducts(databaseUrl: string, productIds: readonly number[], stock: bigint = INITIAL_STOCK): Promise<void> {
  const connection = await createConnection(databaseUrl);
  try {
    for (let from = 0; from < productIds.length; from += ROWS_PER_STATEMENT) {
      const rows = productIds
        .slice(from, from + ROWS_PER_STATEMENT)
        .map((id) => [id, `Product ${String(id)}`, String(stock), new Date()]);
      await connection.query(INSERT, [rows]);
    }
  } finally {
    await connection.end();
  }
}
