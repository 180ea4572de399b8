/** Removes: stock is decided under its lock. It is read without one, and what was reckoned from it is written. */
import { built, replace } from './replace.js';

type Stock = Map<number, bigint>;
type Run = (trx: unknown, sql: string, bindings: readonly unknown[]) => Promise<unknown>;
type Take = (trx: object, taken: ReadonlyMap<number, bigint>) => Promise<void>;
type Read = (trx: object, ids: readonly number[]) => Promise<Stock>;

const { changeRows, selectRows } = built('message-table/database/rows') as { changeRows: Run; selectRows: Run };
const read = new WeakMap<object, Stock>();

replace('inventory-service/products-store', 'lockStock', (): Read => async (trx, ids) => {
  const rows = await selectRows(trx, 'SELECT id, stock FROM product WHERE id IN (?)', [ids]);
  const stock = new Map((rows as { id: string; stock: string }[]).map((row) => [Number(row.id), BigInt(row.stock)]));
  read.set(trx, stock);
  return stock;
});

replace('inventory-service/products-store', 'takeStock', (): Take => async (trx, taken) => {
  for (const [id, amount] of taken) {
    const left = (read.get(trx)?.get(id) ?? 0n) - amount;
    await changeRows(trx, 'UPDATE product SET stock = ?, update_time = NOW(3) WHERE id = ?', [left, id]);
  }
});
