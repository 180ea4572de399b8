import { decidedRoute } from '@counterfoil/contracts';
import { eventually } from '@counterfoil/message-table/testkit';

import { OrderWorld } from './testing/order-world.js';

const WORKER_BITS = 0x3ffn;
const workerIdOf = (id: unknown): number => Number((BigInt(String(id)) >> 12n) & WORKER_BITS);

describe('an order-service of one shard', () => {
  it('when it takes an order, then the deduction says which shard asks, and the id is out of the range of its own', async () => {
    await using world = await OrderWorld.open();
    await world.start({ ORDER_SHARD: 'b', WORKER_IDS: '512-1023', FAST_PATH: 'off' });
    const { body } = await world.post({ productId: 1, quantity: 2 });
    const [message] = await world.messages();
    expect(JSON.parse(message?.content ?? '')).toEqual({ orderId: body['id'], productId: 1, quantity: 2, shard: 'b' });
    expect(workerIdOf(body['id'])).toBeGreaterThanOrEqual(512);
  });

  it('when it is ready, then it consumes the decisions of its shard and of no other', async () => {
    await using world = await OrderWorld.open();
    await world.start({ ORDER_SHARD: 'b' });
    await eventually(async () => (await world.get('/readyz')).status === 200);
    const consumers = (queue: string) => world.broker.consumersOf(queue);
    expect(await consumers(decidedRoute('b').queue)).toBe(1);
    expect(await consumers(decidedRoute('b').deadQueue)).toBe(1);
    expect(await consumers('order.deduction-decided')).toBe(0);
    expect(await consumers('order.dead')).toBe(0);
  });
});
