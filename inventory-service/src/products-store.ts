import type { Transaction } from '@counterfoil/message-table';
import { asNumber, changeRows, selectRows, type Runner } from '@counterfoil/message-table/rows';

/** The only SQL on product. Stock is a 64-bit number: a string outside, a bigint where it is counted with. */

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly stock: string;
}

export async function findProduct(db: Runner, id: number): Promise<Product | null> {
  const [row] = await selectRows<{ name: string; stock: string }>(db, 'SELECT name, stock FROM product WHERE id = ?', [
    id,
  ]);
  return row === undefined ? null : { id, ...row };
}

const PUT = `
  INSERT INTO product (id, name, stock, update_time) VALUES (?, ?, ?, NOW(3))
      ON DUPLICATE KEY UPDATE name = VALUES(name), stock = VALUES(stock), update_time = NOW(3)`;

export async function putProduct(
  db: Runner,
  { id, name, stock }: { id: number; name: string; stock: number },
): Promise<void> {
  await changeRows(db, PUT, [id, name, stock]);
}

const RESTOCK = 'UPDATE product SET stock = stock + ?, update_time = NOW(3) WHERE id = ?';

export async function restockProduct(db: Runner, id: number, quantity: number): Promise<void> {
  await changeRows(db, RESTOCK, [quantity, id]);
}

const LOCK_STOCK = `
  SELECT id, stock
    FROM product
   WHERE id IN (?)
   ORDER BY id
     FOR UPDATE`;

/**
 * The stock of these products, locked until the transaction ends. Everybody locks in the order of the ids.
 *
 * @param ids ascending
 */
export async function lockStock(trx: Transaction, ids: readonly number[]): Promise<Map<number, bigint>> {
  const rows = await selectRows<{ id: string; stock: string }>(trx, LOCK_STOCK, [ids]);
  return new Map(rows.map(({ id, stock }) => [Number(id), asNumber(stock)]));
}

/** Takes stock away. The rows are locked and were found large enough; the condition says so once more. */
export async function takeStock(trx: Transaction, taken: ReadonlyMap<number, bigint>): Promise<void> {
  if (taken.size === 0) return;
  const ids = [...taken.keys()].sort((a, b) => a - b);
  const amount = `CASE id ${ids.map(() => 'WHEN ? THEN ?').join(' ')} END`;
  const amounts = ids.flatMap((id) => [id, taken.get(id)]);
  const changed = await changeRows(
    trx,
    `UPDATE product FORCE INDEX (PRIMARY) SET stock = stock - ${amount}, update_time = NOW(3) WHERE id IN (?) AND stock >= ${amount}`,
    [...amounts, ids, ...amounts],
  );
  if (changed !== ids.length)
    throw new Error(`Stock changed under its lock: ${String(changed)} of ${String(ids.length)} products were updated`);
}
