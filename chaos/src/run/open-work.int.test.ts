import { poisonBodies } from '../nemesis/poison-bodies.js';
import { aRun } from '../testkit/facts-builder.js';
import { ServiceDatabases } from '../testkit/service-databases.js';
import { countOpenWork } from './open-work.js';

const FAILED_NOTE = `
  INSERT INTO consumer_message
    (message_id, consumer, received_by, exchange, routing_key, headers, content, status, first_consume_time, last_consume_time)
  VALUES (?, 'inventory.deduct', 'inventory.deduct', '', '', '{}', '{}', 'FAILED', NOW(3), NOW(3))`;

describe('work that has not come to its end', () => {
  it('when a body of the nemesis has FAILED, then no order without a decision is taken for one that it keeps from it', async () => {
    await using databases = await ServiceDatabases.create();
    const { urls, orders, inventory } = databases;
    const plan = { ...aRun().plan, faults: [{ id: 'f1', atMs: 0, fault: { kind: 'poison' as const, bodies: 2 } }] };
    const world = {
      plan,
      orderDbs: urls.orderDbs.map((url) => ({ url })),
      stack: { inventoryDb: { url: urls.inventoryDb } },
    };
    await databases.placeOrders('run', 0, 2);
    await orders.query(`UPDATE producer_message SET status = 'SENT', next_retry_time = NULL`);
    for (const { notedAs } of poisonBodies(2)) await inventory.query(FAILED_NOTE, [notedAs]);
    expect(await countOpenWork(world)).toEqual({ rows: 0, undecided: 2 });

    await inventory.query(FAILED_NOTE, ['m1']);
    expect(await countOpenWork(world)).toEqual({ rows: 0, undecided: 1 });
  });
});
