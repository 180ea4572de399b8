import { ServiceDatabases } from '../../testkit/service-databases.js';
import type { World } from '../../world/world.js';
import type { Undo } from '../injection.js';
import { missingProducts } from './missing-products.js';
import { pauseSending } from './pause-sending.js';

describe('a fault that is to be taken back', () => {
  let databases: ServiceDatabases;
  let undos: Undo[];

  beforeEach(async () => {
    databases = await ServiceDatabases.create();
    undos = [];
  });
  afterEach(() => databases[Symbol.asyncDispose]());

  const world = (): World => {
    const { orderDbs, inventoryDb } = databases.urls;
    return { stack: { orderDb: { url: orderDbs[0] }, inventoryDb: { url: inventoryDb } } } as unknown as World;
  };
  const undo = async () => {
    for (const one of undos) await one();
  };

  it('when products are missing, then they are there again, and what has been taken of them since is not undone by a second time', async () => {
    const { inventory } = databases;
    const stocks = async () => (await inventory.query('SELECT id, stock FROM product ORDER BY id'))[0];
    await inventory.query(
      `INSERT INTO product (id, name, stock, update_time) VALUES (1, 'a', 10, NOW(3)), (2, 'b', 20, NOW(3))`,
    );
    await missingProducts(world(), { kind: 'missing-products', forMs: 0 }, (one) => undos.push(one));
    expect(await stocks()).toEqual([{ id: 1, stock: 10 }]);
    await undo();
    await inventory.query('UPDATE product SET stock = stock - 5 WHERE id = 2');
    await undo();
    expect(await stocks()).toEqual([
      { id: 1, stock: 10 },
      { id: 2, stock: 15 },
    ]);
  });

  it('when sending is paused, then it goes on, also when it went on before', async () => {
    const fault = { kind: 'pause-sending', scope: 'house', name: '7', forMs: 0 } as const;
    const paused = async () => (await databases.orders.query('SELECT target FROM message_pause'))[0];
    await pauseSending(world(), fault, (one) => undos.push(one));
    expect(await paused()).toHaveLength(1);
    await undo();
    await undo();
    expect(await paused()).toEqual([]);
  });
});
