import { StatementProxy, TcpProxy } from '@counterfoil/message-table/testkit';

import { OrderWorld } from './testing/order-world.js';

let world: OrderWorld;
beforeEach(async () => {
  world = await OrderWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

const ORDER = { productId: 1, quantity: 2 };

describe('a database that is slow or away', () => {
  it('when no connection can be had, then it is 503 not-accepted soon, with a time to come back; orders go on as soon as it answers', async () => {
    await using proxy = await StatementProxy.before(world.fresh.url);
    await world.start({ ORDER_DB_URL: proxy.url });
    proxy.strike('BEGIN', 'cut-before', 1_000);
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.post(ORDER)));
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    for (const { status, headers, body } of answers) {
      expect({ status, code: body['code'], retry: headers.get('retry-after') }).toEqual({
        status: 503,
        code: 'not-accepted',
        retry: '1',
      });
      expect(JSON.stringify(body)).not.toMatch(/INSERT|127\.0\.0\.1/);
    }
    proxy.heal();
    expect(await world.orders()).toEqual([]);
    expect((await world.post(ORDER)).status).toBe(201);
    await world.stop();
  });

  it('HTTP-02: when the first of several equal requests cannot be stored, then the others end as well, and a later one gets the order', async () => {
    await using proxy = await StatementProxy.before(world.fresh.url);
    await world.start({ ORDER_DB_URL: proxy.url });
    proxy.strike('INSERT INTO orders', 'cut-before');
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.post(ORDER, 'key-1')));
    for (const { status } of answers) expect([200, 201, 503]).toContain(status);
    expect([200, 201]).toContain((await world.post(ORDER, 'key-1')).status);
    expect(await world.orders()).toHaveLength(1);
    expect(await world.messages()).toHaveLength(1);
    await world.stop();
  });

  it('HTTP-10: when the client gives up three times while the database is slow, then there is one order, and the next try gets it', async () => {
    const server = new URL(world.fresh.url);
    const proxy = await TcpProxy.start({ host: server.hostname, port: Number(server.port) });
    const through = new URL(world.fresh.url);
    through.port = String(proxy.listeningPort);
    await world.start({ ORDER_DB_URL: through.href, DB_DEADLINE_MS: '10000' });
    proxy.hold('toClient');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(world.post(ORDER, 'key-1', { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    }
    proxy.heal();
    const answer = await world.post(ORDER, 'key-1');
    expect([200, 201]).toContain(answer.status);
    expect((await world.orders()).map(({ id }) => id)).toEqual([answer.body['id']]);
    expect(await world.messages()).toHaveLength(1);
    await world.stop();
    await proxy.stop();
  });

  it('DB-11: when 50 orders come at once on four connections, then none waits in vain; when those are held up, then the answer is a soon 503', async () => {
    await world.start({ DB_POOL: '4' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.post(ORDER)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const held = await world.fresh.db.knex.transaction();
    await held.raw(`INSERT INTO orders (id, product_id, quantity, status, idempotency_key, request_hash, message_id, create_time, update_time)
                    VALUES (1, 1, 1, 'CREATED', 'held', '', 'm', NOW(3), NOW(3))`);
    const stuck = Array.from({ length: 8 }, () => world.post(ORDER, 'held'));
    const startedMs = performance.now();
    const others = await Promise.all(Array.from({ length: 50 }, () => world.post(ORDER)));
    expect(performance.now() - startedMs).toBeLessThan(4_500);
    for (const { status } of others) expect([201, 503]).toContain(status);
    await held.rollback();
    for (const { status } of await Promise.all(stuck)) expect([200, 201, 503]).toContain(status);
    expect((await world.post(ORDER)).status).toBe(201);
  });

  it('DB-02: when a lock time-out comes in the middle, then order and message are stored together or not at all', async () => {
    await world.start({ DB_LOCK_WAIT_S: '1' });
    const held = await world.fresh.db.knex.transaction();
    await held.raw('SELECT id FROM producer_message FOR UPDATE');
    await held.raw(`INSERT INTO orders (id, product_id, quantity, status, idempotency_key, request_hash, message_id, create_time, update_time)
                    VALUES (1, 1, 1, 'CREATED', 'key-1', '', 'm', NOW(3), NOW(3))`);
    const posting = world.post(ORDER, 'key-1');
    await new Promise<unknown>((resolve) => world.events.once('transactionRetried', resolve));
    await held.rollback();
    expect((await posting).status).toBe(201);
    expect(await world.orders()).toHaveLength(1);
    expect(await world.messages()).toHaveLength(1);
  });
});
