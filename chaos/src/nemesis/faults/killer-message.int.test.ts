import { ServiceDatabases } from '../../testkit/service-databases.js';
import { isGivenUp } from './killer-message.js';

const KILLER = { productId: 1, quantity: 16_384 };

describe('a message that kills its sender', () => {
  it('when another one is given up first, then it is not given up yet', async () => {
    await using databases = await ServiceDatabases.create();
    const { orders } = databases;
    await databases.placeOrders('run', 0, 3);
    await orders.query('UPDATE producer_message SET content = ? WHERE id = 1002', [
      '{"orderId":"1002","productId":1,"quantity":16384}',
    ]);
    const giveUp = (id: number) =>
      orders.query(`UPDATE producer_message SET status = 'FAILED', next_retry_time = NULL WHERE id = ?`, [id]);
    await giveUp(1000);
    expect(await isGivenUp(orders, KILLER)).toBe(false);
    await giveUp(1002);
    expect(await isGivenUp(orders, KILLER)).toBe(true);
  });
});
