import { changeRows } from '@counterfoil/message-table/rows';
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
