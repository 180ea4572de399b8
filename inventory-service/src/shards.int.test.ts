import { selectRows } from '@counterfoil/message-table/rows';

import { putProduct } from './products-store.js';
import { aDeduction, InventoryWorld } from './testing/inventory-world.js';

let world: InventoryWorld;
beforeEach(async () => {
  world = await InventoryWorld.open();
  await putProduct(world.db.knex, { id: 1, name: 'one', stock: 2 });
});
afterEach(() => world[Symbol.asyncDispose]());

const ROUTES = 'SELECT content, routing_key AS routingKey FROM producer_message ORDER BY id';

describe('a decision goes back to the shard that asked', () => {
  it('when deductions of two shards and of none come in one batch, then each decision takes the way of its own', async () => {
    const replica = await world.started();
    const orders = [{ orderId: '1', shard: 'a' }, { orderId: '1', shard: 'b' }, { orderId: '3' }];
    await replica.inbox.handle(orders.map((fields) => aDeduction(fields)));
    const rows = await selectRows<{ content: string; routingKey: string }>(world.db.knex, ROUTES);
    expect(
      rows.map(({ content, routingKey }) => [(JSON.parse(content) as { outcome: string }).outcome, routingKey]),
    ).toEqual([
      ['CONFIRMED', 'order.deduction-decided.a'],
      ['CONFIRMED', 'order.deduction-decided.b'],
      ['REJECTED', 'order.deduction-decided'],
    ]);
  });

  it('when a deduction names a shard that cannot be, then it is kept as FAILED and takes nothing', async () => {
    const replica = await world.started();
    await replica.inbox.handle([aDeduction({ shard: '../a' })]);
    expect((await world.notes.notes()).map(({ status }) => status)).toEqual(['FAILED']);
    expect(await world.stock()).toBe('2');
  });
});
