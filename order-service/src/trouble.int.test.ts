import { connect } from 'node:net';

import { changeRows, selectRows } from '@counterfoil/message-table';
import { eventually, StatementProxy, TcpProxy, type Fate } from '@counterfoil/message-table/testkit';

import { OrderWorld } from './testing/order-world.js';

let world: OrderWorld;
beforeEach(async () => {
  world = await OrderWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

const ORDER = { productId: 1, quantity: 2 };
const CLOSED_PORT = 'amqp://guest:guest@127.0.0.1:9';

describe('HTTP-01: a broker that is away does not show', () => {
  it('HTTP-01: when no broker answers, then orders are taken at the usual pace and their messages wait', async () => {
    await world.start({ AMQP_URL: CLOSED_PORT });
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(ORDER)));
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await world.messages()).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'PENDING'));
    expect((await world.get('/readyz')).body['missing']).toEqual(['consumer of order.deduction-decided']);
  });

  it('HTTP-01: when the broker swallows everything, then orders are taken at the usual pace and one message each is stored', async () => {
    const proxy = await TcpProxy.start({ host: world.broker.address.hostname, port: world.broker.address.port });
    await world.start({
      AMQP_URL: world.broker.url(proxy.listeningPort),
      ATTEMPT_TIMEOUT_MS: '500',
      AMQP_DEADLINE_MS: '500',
    });
    await eventually(async () => (await world.get('/readyz')).status === 200);
    proxy.swallow('toServer', 'toClient');
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(ORDER)));
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await world.messages()).toHaveLength(20);
    await eventually(async () => (await world.messages()).every(({ status }) => status === 'PENDING'));
    await world.stop();
    await proxy.stop();
  });

  it('when the backlog is full, then it is 429 with a time to come back, and nothing more is stored', async () => {
    await world.start({ AMQP_URL: CLOSED_PORT, MAX_BACKLOG: '3' });
    for (let n = 0; n < 3; n += 1) await world.post(ORDER);
    const refused = await eventually(async () => {
      const answer = await world.post(ORDER);
      return answer.status === 201 ? null : answer;
    });
    expect(refused).toMatchObject({ status: 429, body: { code: 'backlog-full' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const stored = (await world.orders()).length;
    await world.post(ORDER);
    expect(await world.orders()).toHaveLength(stored);
    await changeRows(world.fresh.db.knex, `UPDATE producer_message SET status = 'SENT', next_retry_time = NULL`);
    await eventually(async () => (await world.post(ORDER)).status === 201);
  });
});

describe('DB-01: an unanswered COMMIT ends as one order and one message', () => {
  it.each<Fate>(['cut-before', 'cut-answer', 'swallow', 'swallow-answer', 'dead-lock'])(
    'DB-01: when COMMIT meets %s, then the client gets its order, and there is no second one',
    async (fate) => {
      await using proxy = await StatementProxy.before(world.fresh.url);
      await world.start({ ORDER_DB_URL: proxy.url, DB_DEADLINE_MS: '700' });
      const struck = proxy.struck;
      proxy.strike('COMMIT;', fate);
      const answer = await world.post(ORDER, 'key-1');
      expect(proxy.struck).toBe(struck + 1);
      expect(answer.status).toBe(201);
      expect(await world.post(ORDER, 'key-1')).toMatchObject({ status: 200, body: { id: answer.body['id'] } });
      expect((await world.orders()).map(({ id }) => id)).toEqual([answer.body['id']]);
      expect((await world.messages()).map(({ messageId }) => messageId)).toEqual([answer.body['messageId']]);
      await world.stop();
    },
  );

  it('DB-01: when no COMMIT is ever answered, then it is 503 outcome-unknown, and the same key later gives the one order', async () => {
    await using proxy = await StatementProxy.before(world.fresh.url);
    await world.start({ ORDER_DB_URL: proxy.url, DB_DEADLINE_MS: '700' });
    proxy.strike('COMMIT;', 'cut-before', 1_000);
    const unknown = await world.post(ORDER, 'key-1');
    expect(unknown).toMatchObject({ status: 503, body: { code: 'outcome-unknown' } });
    expect(unknown.headers.get('retry-after')).toBe('1');
    proxy.heal();
    const later = await world.post(ORDER, 'key-1');
    expect(later.status).toBe(201);
    expect(await world.orders()).toHaveLength(1);
    expect(await world.messages()).toHaveLength(1);
    await world.stop();
  });

  it('DB-01: when the key is taken and its order cannot be read, then nobody says that nothing was stored', async () => {
    await using proxy = await StatementProxy.before(world.fresh.url);
    await world.start({ ORDER_DB_URL: proxy.url });
    await world.post(ORDER, 'key-1');
    proxy.strike('WHERE idempotency_key IN', 'cut-before');
    expect(await world.post(ORDER, 'key-1')).toMatchObject({ status: 503, body: { code: 'outcome-unknown' } });
    expect(await world.post(ORDER, 'key-1')).toMatchObject({ status: 200 });
    await world.stop();
  });
});

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
