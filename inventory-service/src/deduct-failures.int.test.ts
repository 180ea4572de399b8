import { retryNote } from '@counterfoil/message-table';
import { aReceived } from '@counterfoil/message-table/testkit';

import { putProduct } from './products-store.js';
import { aDeduction, InventoryWorld } from './testing/inventory-world.js';

let world: InventoryWorld;
beforeEach(async () => {
  world = await InventoryWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

describe('an order for an unknown product', () => {
  it('when the product stays away, then the order ends FAILED after all its attempts, and its neighbours are decided', async () => {
    await putProduct(world.db.knex, { id: 1, name: 'one', stock: 5 });
    const replica = await world.started(3);
    const unknown = aDeduction({ productId: 2 });
    expect(await replica.inbox.handle([aDeduction(), unknown, aDeduction()])).toEqual([
      'success',
      'PENDING_RETRY',
      'success',
    ]);
    await replica.redeliver();
    await world.notes.makeDue();
    await world.notes.untilNote(unknown.messageId, ({ retryCount }) => retryCount === 2);
    await world.notes.makeDue();
    const note = await world.notes.untilNote(unknown.messageId, ({ status }) => status === 'FAILED');
    expect(note).toMatchObject({ retryCount: 3, errorMsg: 'There is no product 2 (yet)' });
    expect(await world.stock()).toBe('3');
    expect(await world.decisions()).toHaveLength(2);
  });

  it('RTY-02: when the product is added and a person retries, then the order is decided once', async () => {
    const replica = await world.started(1);
    const message = aDeduction({ productId: 2, quantity: 2 });
    expect(await replica.inbox.handle([message])).toEqual(['FAILED']);
    await putProduct(world.db.knex, { id: 2, name: 'two', stock: 5 });
    await replica.redeliver();
    const ref = { messageId: message.messageId, consumer: 'inventory.deduct' };
    const clicks = await Promise.all(
      [1, 2].map(() => retryNote(world.db, ref, { who: 'anna', why: 'added it' }, 86_400_000)),
    );
    expect(clicks.sort()).toEqual(['done', 'state-moved']);
    await world.notes.untilNote(message.messageId, ({ status }) => status === 'SUCCESS');
    expect(await world.stock(2)).toBe('3');
    expect(await world.decisions()).toMatchObject([{ outcome: 'CONFIRMED' }]);
  });

  it('INB-01: when the product comes before the next attempt, then the order is decided, and a third delivery changes nothing', async () => {
    const replica = await world.started();
    const message = aDeduction();
    expect(await replica.inbox.handle([message])).toEqual(['PENDING_RETRY']);
    await putProduct(world.db.knex, { id: 1, name: 'one', stock: 5 });
    await replica.redeliver();
    await world.notes.makeDue();
    await world.notes.untilNote(message.messageId, ({ status }) => status === 'SUCCESS');
    expect(await replica.inbox.handle([message])).toEqual(['SUCCESS']);
    expect(await world.stock()).toBe('4');
  });
});

describe('what is no deduction', () => {
  const nonsense = ['-1', '0', '1.5', '1e400', '"5"', 'true', 'null', '[5]', '9007199254740993', '2147483648', '1e-7'];

  it.each(nonsense)(
    'HTTP-04: when the quantity is %s, then the message is FAILED and stock stays',
    async (quantity) => {
      await putProduct(world.db.knex, { id: 1, name: 'one', stock: 5 });
      const body = Buffer.from(`{"orderId":"1","productId":1,"quantity":${quantity}}`);
      const message = aReceived({ consumer: 'inventory.deduct', body });
      expect(await world.replica().inbox.handle([message])).toEqual(['FAILED']);
      expect(await world.stock()).toBe('5');
      expect(await world.decisions()).toEqual([]);
    },
  );

  const broken = [
    `{"a":`,
    '',
    'null',
    '[]',
    '{"orderId":1,"productId":1,"quantity":1}',
    '{"orderId":"1","productId":"1","quantity":1}',
  ];

  it.each(broken)('INB-04: when the body is %j, then it is kept once as FAILED', async (body) => {
    const message = aReceived({ consumer: 'inventory.deduct', body: Buffer.from(body) });
    expect(await world.replica().inbox.handle([message, message])).toEqual(['FAILED', 'FAILED']);
    expect(await world.notes.notes()).toMatchObject([{ status: 'FAILED', retryCount: 1 }]);
  });
});
