import { createConnection } from 'mysql2/promise';

import { INITIAL_STOCK } from './workload.js';

const ROWS_PER_STATEMENT = 1_000;
const INSERT_HEAD = 'INSERT INTO product (id, name, stock, update_time) VALUES ';
const ROW = '(?, ?, ?, UTC_TIMESTAMP(3))';

/** Thousands of PUTs would take longer than the load itself, so the products go straight into the inventory database. */
export async function insertProducts(
  databaseUrl: string,
  productIds: readonly number[],
  stock: bigint = INITIAL_STOCK,
): Promise<void> {
  const connection = await createConnection(databaseUrl);
  try {
    for (let from = 0; from < productIds.length; from += ROWS_PER_STATEMENT) {
      const ids = productIds.slice(from, from + ROWS_PER_STATEMENT);
      const values = ids.flatMap((id) => [id, `Product ${String(id)}`, stock]);
      await connection.query(INSERT_HEAD + ids.map(() => ROW).join(', '), values);
    }
  } finally {
    await connection.end();
  }
}
