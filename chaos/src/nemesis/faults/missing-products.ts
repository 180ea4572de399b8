import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

import type { World } from '../../world/world.js';
import type { Inject } from '../injection.js';

interface Product extends RowDataPacket {
  readonly id: string;
  readonly name: string;
  readonly stock: string;
}

const ATTEMPTS = 10;

/** Orders come before their products: whoever asks for one of these meets nothing, and has to try again. */
export const missingProducts: Inject<'missing-products'> = async (world, _fault, undoBy) => {
  const taken: Product[] = [];
  const putBack = (): Promise<void> => onInventoryDb(world, (connection) => insertMissing(connection, taken));
  undoBy(putBack);
  await onInventoryDb(world, (connection) => takeAway(connection, taken));
  const sinceMs = performance.now();
  return {
    heal: async () => {
      await putBack();
      return { productsMissing: taken.length, missingMs: Math.round(performance.now() - sinceMs) };
    },
  };
};

async function onInventoryDb({ stack }: World, work: (connection: Connection) => Promise<void>): Promise<void> {
  const uri = stack.inventoryDb.url;
  const connection = await createConnection({ uri, supportBigNumbers: true, bigNumberStrings: true });
  try {
    await work(connection);
  } finally {
    connection.destroy();
  }
}

// IGNORE: those that never went, or came back by an answer that was lost, stay as they are by now.
const INSERT_MISSING = 'INSERT IGNORE INTO product (id, name, stock, update_time) VALUES ?';

async function insertMissing(connection: Connection, products: readonly Product[]): Promise<void> {
  if (products.length === 0) return;
  const now = new Date();
  await connection.query(INSERT_MISSING, [products.map(({ id, name, stock }) => [id, name, stock, now])]);
}

/**
 * Together, so that what is put back later is what was there; repeated when a consumer was in the way.
 *
 * @param taken is told of them before they are gone for certain: of a COMMIT without an answer nobody knows
 */
async function takeAway(connection: Connection, taken: Product[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connection.query('BEGIN');
      const [products] = await connection.query<Product[]>(
        'SELECT id, name, stock FROM product WHERE id % 2 = 0 ORDER BY id FOR UPDATE',
      );
      await connection.query('DELETE FROM product WHERE id IN (?)', [products.map(({ id }) => id)]);
      taken.splice(0, taken.length, ...products);
      await connection.query('COMMIT');
      return;
    } catch (error) {
      await connection.query('ROLLBACK');
      if (attempt >= ATTEMPTS) throw error;
    }
  }
}
