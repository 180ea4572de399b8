import { changeRows } from '@counterfoil/message-table/rows';

import { OrderWorld } from './testing/order-world.js';

let world: OrderWorld;
beforeAll(async () => {
  world = await OrderWorld.open();
  await world.start();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['orders', 'producer_message']) await changeRows(world.fresh.db.knex, `DELETE FROM ${table}`);
});

const ORDER = { productId: 1, quantity: 2 };

async function expectNothingStored(): Promise<void> {
  expect(await world.orders()).toEqual([]);
  expect(await world.messages()).toEqual([]);
}

describe('POST /orders', () => {
  it('when an order is fine, then it is 201 with its place, and one message stands beside it', async () => {
    const { status, headers, body } = await world.post(ORDER);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^\d{15,19}$/),
      ...ORDER,
      status: 'CREATED',
      messageId: expect.any(String),
    });
    expect(headers.get('location')).toBe(`/orders/${String(body['id'])}`);
    expect(await world.get(`/orders/${String(body['id'])}`)).toMatchObject({ status: 200, body });
    const [message] = await world.messages();
    expect(message).toMatchObject({
      messageId: body['messageId'],
      content: JSON.stringify({ orderId: body['id'], ...ORDER }),
    });
  });

  it('when the same key and fields come again, then it is 200, the same order and marked as repeated', async () => {
    const first = await world.post(ORDER, 'key-1');
    await changeRows(world.fresh.db.knex, `UPDATE orders SET status = 'CONFIRMED'`);
    const again = await world.post(ORDER, 'key-1');
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual({ ...first.body, status: 'CONFIRMED' });
    expect(await world.orders()).toHaveLength(1);
  });

  it('when the database refuses one of several orders for good, then that one is a 500 and the others are stored', async () => {
    await changeRows(world.fresh.db.knex, 'ALTER TABLE orders ADD CONSTRAINT few CHECK (quantity < 100)');
    const quantities = [2, 100, 3];
    const answers = await Promise.all(quantities.map((quantity) => world.post({ ...ORDER, quantity })));
    await changeRows(world.fresh.db.knex, 'ALTER TABLE orders DROP CONSTRAINT few');
    expect(answers.map(({ status }) => status)).toEqual([201, 500, 201]);
    expect(answers[1]?.body).toMatchObject({ code: 'internal' });
    expect((await world.orders()).map(({ quantity }) => quantity).sort()).toEqual([2, 3]);
    expect(await world.messages()).toHaveLength(2);
  });

  it('HTTP-05: when the same key comes with another quantity, then it is 422; with the fields in another order, then it is the same order', async () => {
    const first = await world.post(ORDER, 'key-2');
    expect(await world.post({ ...ORDER, quantity: 3 }, 'key-2')).toMatchObject({
      status: 422,
      body: { code: 'key-reused' },
    });
    const again = await world.post('{ "quantity": 2,\n "productId": 1, "unknown": true }', 'key-2');
    expect(again).toMatchObject({ status: 200, body: { id: first.body['id'] } });
    expect(await world.orders()).toHaveLength(1);
    expect(await world.messages()).toHaveLength(1);
  });

  it('HTTP-02: when 20 equal requests come at once, then there is one order, one message and never a 5xx', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(ORDER, 'key-3')));
    const later = await world.post(ORDER, 'key-3');
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(new Set([...answers, later].map(({ body }) => body['id'])).size).toBe(1);
    expect(await world.orders()).toHaveLength(1);
    expect(await world.messages()).toHaveLength(1);
  });

  it('HTTP-02: when many keys come several times and mixed, then each has one order and nobody gets a 5xx', async () => {
    const keys = Array.from({ length: 200 }, (_, n) => `mixed-${String(n % 40)}`).sort(() => Math.random() - 0.5);
    const answers = await Promise.all(keys.map((key) => world.post(ORDER, key)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(160);
    expect(await world.orders()).toHaveLength(40);
  });
});

describe('what is no order is refused, and nothing is stored', () => {
  const quantities = [
    '-1',
    '0',
    '1.5',
    '1e400',
    '-0',
    '"5"',
    'true',
    'null',
    '[5]',
    '{}',
    '9007199254740993',
    '2147483648',
    '1e-7',
    '""',
  ];

  it.each(quantities)('HTTP-04: when the quantity is %s, then it is 400', async (quantity) => {
    const { status, headers, body } = await world.post(`{"productId":1,"quantity":${quantity}}`);
    expect({ status, code: body['code'], type: headers.get('content-type') }).toEqual({
      status: 400,
      code: 'malformed',
      type: 'application/problem+json',
    });
    await expectNothingStored();
  });

  it('HTTP-04: when the quantity is 1.0 or the largest, then it is an order', async () => {
    expect(await world.post('{"productId":1,"quantity":1.0}')).toMatchObject({ status: 201, body: { quantity: 1 } });
    expect(await world.post('{"productId":1,"quantity":2147483647}')).toMatchObject({ status: 201 });
  });

  it.each(['0', '-1', '"1"', '1.5', 'null', '9007199254740992', '9007199254740993', '1e300'])(
    'DB-09: when the product id is %s, then it is 400',
    async (productId) => {
      expect(await world.post(`{"productId":${productId},"quantity":1}`)).toMatchObject({
        status: 400,
        body: { code: 'malformed' },
      });
      await expectNothingStored();
    },
  );

  it.each(['{"productId":1,"quantity":NaN}', '{"a":', '', '[]', 'null', '5', '"text"', '{}', '{"quantity":1}'])(
    'when the body is %s, then it is 400',
    async (body) => {
      expect(await world.post(body)).toMatchObject({ status: 400, body: { code: 'malformed' } });
      await expectNothingStored();
    },
  );

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=koi8-r', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('when the content is %s %j, then it is 415', async (type, more) => {
    const answer = await world.post(ORDER, undefined, { headers: { 'content-type': type, ...more } });
    expect(answer).toMatchObject({ status: 415, body: { code: 'not-json' } });
    await expectNothingStored();
  });

  it('when the body is larger than 64 KiB, then it is 413', async () => {
    const answer = await world.post({ ...ORDER, padding: 'x'.repeat(70_000) });
    expect(answer).toMatchObject({ status: 413, body: { code: 'too-large' } });
    await expectNothingStored();
  });

  it.each(['', 'x'.repeat(65), 'caf\u00e9', 'tab\there'])('DB-06: when the key is %p, then it is 400', async (key) => {
    expect(await world.post(ORDER, key)).toMatchObject({ status: 400, body: { code: 'idempotency-key-invalid' } });
    await expectNothingStored();
  });

  it('DB-06: when keys differ in case only, then they are different keys; a blank at the end is not part of a header (design)', async () => {
    const answers = [
      await world.post(ORDER, 'AbC1'),
      await world.post(ORDER, 'abc1'),
      await world.post(ORDER, 'abc1 '),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200]);
    expect(await world.orders()).toHaveLength(2);
  });
});

describe('GET', () => {
  it('DB-09: when ids are neighbours above 2^53, then each is found as itself and no digit is lost', async () => {
    for (const id of ['9023393775362048', '9023393775362049']) {
      const insert = `INSERT INTO orders (id, product_id, quantity, status, request_hash, message_id, create_time, update_time) VALUES (${id}, 1, ?, 'CREATED', '', ?, NOW(3), NOW(3))`;
      await changeRows(world.fresh.db.knex, insert, [Number(id.at(-1)), id]);
    }
    for (const id of ['9023393775362048', '9023393775362049']) {
      expect(await world.get(`/orders/${id}`)).toMatchObject({
        status: 200,
        body: { id, quantity: Number(id.at(-1)), messageId: id },
      });
    }
  });

  it('when there is no such order, then it is 404', async () => {
    expect(await world.get('/orders/1')).toMatchObject({ status: 404, body: { code: 'not-found' } });
    expect(await world.get('/orders/9223372036854775807')).toMatchObject({ status: 404 });
  });

  it.each(['abc', '0', '-1', '01', '1.5', '9223372036854775808', '99999999999999999999', '%E0%A4%A', "1'--"])(
    'when the id is %s, then it is 400',
    async (id) => {
      expect(await world.get(`/orders/${id}`)).toMatchObject({ status: 400, body: { code: 'malformed' } });
    },
  );

  it.each(['/', '/orders', '/orders/1/2', '/nothing'])(
    'when the path is %s, then it is 404 as a problem',
    async (path) => {
      const { status, headers, body } = await world.get(path);
      expect({ status, code: body['code'], type: headers.get('content-type') }).toEqual({
        status: 404,
        code: 'not-found',
        type: 'application/problem+json',
      });
    },
  );
});
