import { asNumber, changeRows } from '@counterfoil/message-table/rows';

import { putProduct, restockProduct, takeStock } from './products-store.js';
import { aDeduction, InventoryWorld, type Replica } from './testing/inventory-world.js';

let world: InventoryWorld;
beforeEach(async () => {
  world = await InventoryWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

/** Two replicas that take turns. */
async function twoReplicas(): Promise<(index: number) => Replica> {
  const [one, other] = [await world.started(), await world.started()];
  return (index) => (index % 2 === 0 ? one : other);
}

describe('stock is decided under its lock', () => {
  it('INV-01: when 50 deductions of one product come to two consumers, then all are confirmed and none fails', async () => {
    await putProduct(world.db.knex, { id: 1, name: 'hot', stock: 50 });
    const turn = await twoReplicas();
    const messages = Array.from({ length: 50 }, () => aDeduction());
    await Promise.all(messages.map((message, index) => turn(index).inbox.handle([message])));
    expect(await world.stock()).toBe('0');
    expect((await world.notes.notes()).map(({ status, retryCount }) => `${status} ${String(retryCount)}`)).toEqual(
      Array(50).fill('SUCCESS 0'),
    );
    expect((await world.decisions()).map(({ outcome }) => outcome)).toEqual(Array(50).fill('CONFIRMED'));
  });

  it('INV-01: when more is asked for than is there, in batches, by two consumers, then exactly the stock is sold and the rest is rejected', async () => {
    await putProduct(world.db.knex, { id: 1, name: 'one', stock: 30 });
    await putProduct(world.db.knex, { id: 2, name: 'two', stock: 7 });
    const turn = await twoReplicas();
    const messages = Array.from({ length: 200 }, (_, index) => aDeduction({ productId: 1 + (index % 2) }));
    const batches = Array.from({ length: 10 }, (_, index) => messages.slice(index * 20, index * 20 + 20));
    await Promise.all(batches.map((batch, index) => turn(index).inbox.handle(batch)));
    expect([await world.stock(1), await world.stock(2)]).toEqual(['0', '0']);
    expect((await world.notes.notes()).every(({ status }) => status === 'SUCCESS')).toBe(true);
    const outcomes = (await world.decisions()).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'CONFIRMED')).toHaveLength(37);
    expect(outcomes.filter((outcome) => outcome === 'REJECTED')).toHaveLength(163);
  });

  it('when products are restocked meanwhile, then what was there and what came is what was sold and what is left', async () => {
    await putProduct(world.db.knex, { id: 1, name: 'one', stock: 10 });
    const replica = await world.started();
    const sales = Array.from({ length: 20 }, () => replica.inbox.handle([aDeduction({ quantity: 3 })]));
    const restocks = Array.from({ length: 10 }, () => restockProduct(world.db.knex, 1, 2));
    await Promise.all([...sales, ...restocks]);
    const sold = (await world.decisions()).filter(({ outcome }) => outcome === 'CONFIRMED').length;
    expect(await world.stock()).toBe(String(30 - 3 * sold));
  });

  it('when stock is taken that is not there, then the condition is the last line, and the constraint behind it', async () => {
    await putProduct(world.db.knex, { id: 1, name: 'one', stock: 1 });
    const taking = world.db.knex.transaction((trx) => takeStock(trx, new Map([[1, 2n]])));
    await expect(taking).rejects.toThrow('0 of 1 products were updated');
    await expect(changeRows(world.db.knex, 'UPDATE product SET stock = stock - 2 WHERE id = 1')).rejects.toThrow(
      'product_stock',
    );
    expect(await world.stock()).toBe('1');
  });

  it('DB-02: when the product is locked for too long, then the whole transaction is repeated, and there is no note without its deduction', async () => {
    await putProduct(world.db.knex, { id: 1, name: 'one', stock: 5 });
    const replica = await world.started();
    const blocker = await world.db.knex.transaction();
    await blocker.raw('SELECT stock FROM product WHERE id = 1 FOR UPDATE');
    const retried = new Promise((resolve) => replica.db.events.once('transactionRetried', resolve));
    const handled = replica.inbox.handle([aDeduction()]);
    await retried;
    expect(await world.notes.notes()).toEqual([]);
    await blocker.rollback();
    expect(await handled).toEqual(['success']);
    expect(await world.stock()).toBe('4');
    expect(await world.decisions()).toHaveLength(1);
  });
});

describe('ids', () => {
  it('DB-09: when two order ids differ only above 2^53, then their decisions name each of them as it came', async () => {
    await putProduct(world.db.knex, { id: Number.MAX_SAFE_INTEGER, name: 'largest', stock: 5 });
    const replica = await world.started();
    const orderIds = ['9023393775362048', '9023393775362049', '9223372036854775807'];
    await replica.inbox.handle(orderIds.map((orderId) => aDeduction({ orderId, productId: Number.MAX_SAFE_INTEGER })));
    expect((await world.decisions()).map(({ orderId }) => orderId).sort()).toEqual([...orderIds].sort());
    expect(await world.stock(Number.MAX_SAFE_INTEGER)).toBe('2');
    expect(asNumber('9223372036854775807')).toBe(2n ** 63n - 1n);
  });

  it('when stock is above 2^53, then one less is one less', async () => {
    await changeRows(world.db.knex, `INSERT INTO product VALUES (1, 'much', 9007199254740995, NOW(3))`);
    await (await world.started()).inbox.handle([aDeduction()]);
    expect(await world.stock()).toBe('9007199254740994');
  });
});

describe('a worker id', () => {
  it('when none is leased after an outage, then no attempt is used and the message is kept', async () => {
    await putProduct(world.db.knex, { id: 1, name: 'one', stock: 5 });
    await expect(world.replica().inbox.handle([aDeduction()])).rejects.toMatchObject({ code: 'NO_WORKER_ID' });
    expect(await world.notes.notes()).toEqual([]);
    expect(await world.stock()).toBe('5');
  });
});
