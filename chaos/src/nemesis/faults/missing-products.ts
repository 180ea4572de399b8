import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

import type { Inject } from '../injection.js';

interface Product extends RowDataPacket {
  readonly id: string;
  readonly name: string;
  readonly stock: string;
}

const ATTEMPTS = 10;

/** Orders come before their products: whoever asks for one of these meets nothing, and has to try again. */
export const missingProducts: Inject<'missing-products'> = async (world) => {
  const { url } = world.stack.inventoryDb;
  const connection = await createConnection({ uri: url, supportBigNumbers: true, bigNumberStrings: true });
  const taken = await takeAway(connection);
  const sinceMs = performance.now();
  return {
    heal: async () => {
      const rows = taken.map(({ id, name, stock }) => [id, name, stock]);
      if (rows.length > 0)
        await connection.query('INSERT INTO product (id, name, stock, update_time) VALUES ?', [
          rows.map((row) => [...row, new Date()]),
        ]);
      await connection.end();
      return { productsMissing: rows.length, missingMs: Math.round(performance.now() - sinceMs) };
    },
  };
};

/** Together, so that what is put back later is what was there; repeated when a consumer was in the way. */
async function takeAway(connection: Connection): Promise<Product[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connection.query('BEGIN');
      const [products] = await connection.query<Product[]>(
        'SELECT id, name, stock FROM product WHERE id % 2 = 0 ORDER BY id FOR UPDATE',
      );
      await connection.query('DELETE FROM product WHERE id IN (?)', [products.map(({ id }) => id)]);
      await connection.query('COMMIT');
      return products;
    } catch (error) {
      await connection.query('ROLLBACK');
      if (attempt >= ATTEMPTS) throw error;
    }
  }
}
