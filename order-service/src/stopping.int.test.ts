import { connect } from 'node:net';

import { selectRows } from '@counterfoil/message-table/rows';
import { eventually } from '@counterfoil/message-table/testkit';

import { OrderWorld } from './testing/order-world.js';

let world: OrderWorld;
beforeEach(async () => {
  world = await OrderWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

const ORDER = { productId: 1, quantity: 2 };

describe('clients that are slow, and a service that stops', () => {
  it('when 100 clients send half a request and wait, then others are served as ever', async () => {
    await world.start();
    const half = `POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"productId"`;
    const sockets = Array.from({ length: 100 }, () =>
      connect(
        Number(new URL(world.url).port),
        '127.0.0.1',
        function opened(this: { write: (text: string) => unknown }) {
          this.write(half);
        },
      ),
    );
    await eventually(() => sockets.every((socket) => socket.bytesWritten > 0));
    expect((await world.post(ORDER)).status).toBe(201);
    for (const socket of sockets) socket.destroy();
    expect(await world.orders()).toHaveLength(1);
  });

  it('when the service stops, then what it had begun is answered, and new requests are refused', async () => {
    await world.start();
    const held = await world.fresh.db.knex.transaction();
    await held.raw(`INSERT INTO orders (id, product_id, quantity, status, idempotency_key, request_hash, message_id, create_time, update_time)
                    VALUES (1, 1, 1, 'CREATED', 'key-1', '', 'm', NOW(3), NOW(3))`);
    const begun = world.post(ORDER, 'key-1');
    const waits = `SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND trx_query LIKE '%INSERT INTO orders%'`;
    await eventually(async () => (await selectRows(world.fresh.db.knex, waits)).length > 0, 5_000, 150);
    const stopped = world.stop();
    const refused = (): Promise<boolean> =>
      world.post(ORDER, 'key-2').then(
        ({ status }) => status === 503,
        () => true,
      );
    await eventually(refused);
    await held.rollback();
    expect((await begun).status).toBe(201);
    await stopped;
    expect(await world.orders()).toHaveLength(1);
  });
});
