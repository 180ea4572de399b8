import { StatementProxy } from '@counterfoil/message-table/testkit';

import { InventoryProcess } from './testing/inventory-process.js';

let inventory: InventoryProcess;
beforeEach(async () => {
  inventory = await InventoryProcess.open();
});
afterEach(() => inventory[Symbol.asyncDispose]());

let nextOrder = 9_023_393_775_362_048n;
const aBody = (fields: object = {}): string =>
  JSON.stringify({ orderId: String(nextOrder++), productId: 1, quantity: 2, ...fields });

describe('a deduction over HTTP', () => {
  it('when it comes for the first time, then its effect is committed before the answer, with the note as it was received', async () => {
    await inventory.start();
    await inventory.putProduct(10);
    const body = aBody();
    const createdMs = Date.now();
    const headers = { 'x-created': String(createdMs), 'x-attempt': '7:1', authorization: 'Bearer hunter2' };
    expect(await inventory.deduct('m-1', body, headers)).toMatchObject({
      status: 200,
      body: { messageId: 'm-1', status: 'SUCCESS' },
    });
    expect(await inventory.stock()).toBe('8');
    expect(await inventory.decisions()).toBe(1);
    expect(await inventory.storedNote('m-1')).toEqual({
      receivedBy: 'http /deductions',
      headers: { 'content-type': 'application/json', 'x-attempt': '7:1', 'x-created': createdMs },
      content: body,
      encoding: 'utf8',
    });
  });

  it('HTTP-10: when it comes again and again, at once and later, then it takes effect once and each answer is 200', async () => {
    await inventory.start();
    await inventory.putProduct(10);
    const body = aBody();
    const atOnce = await Promise.all(Array.from({ length: 20 }, () => inventory.deduct('m-1', body)));
    expect(new Set(atOnce.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await inventory.deduct('m-1', body)).status).toBe(200);
    expect(await inventory.stock()).toBe('8');
    expect(await inventory.decisions()).toBe(1);
  });

  it('INB-01: when the same messages come through the queue and over HTTP at once, then each takes effect once', async () => {
    await inventory.start();
    await inventory.putProduct(1_000);
    const bodies = new Map(Array.from({ length: 100 }, (_, n) => [`m-${String(n)}`, aBody()]));
    for (const [id, body] of bodies) inventory.publish(id, body);
    const answers = await Promise.all([...bodies].map(([id, body]) => inventory.deduct(id, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await inventory.world.untilNotes(100, 'SUCCESS');
    expect(await inventory.stock()).toBe('800');
    expect(await inventory.decisions()).toBe(100);
  });

  it('when the product is not there yet, then the answer is 202, and the redelivery from the stored content decides it', async () => {
    await inventory.start({ REDELIVERY_POLL_MS: '20' });
    const body = aBody();
    expect(await inventory.deduct('m-1', body)).toMatchObject({ status: 202, body: { status: 'PENDING_RETRY' } });
    expect((await inventory.deduct('m-1', body)).status).toBe(202);
    await inventory.putProduct(10);
    await inventory.world.makeDue('m-1');
    await inventory.world.untilNote('m-1', ({ status }) => status === 'SUCCESS');
    expect(await inventory.deduct('m-1', body)).toMatchObject({ status: 200 });
    expect(await inventory.stock()).toBe('8');
  });

  it('when it is older than notes are kept, then it is kept as FAILED and the answer is 202', async () => {
    await inventory.start();
    await inventory.putProduct(10);
    const longAgo = { 'x-created': String(Date.now() - 30 * 86_400_000) };
    expect(await inventory.deduct('m-1', aBody(), longAgo)).toMatchObject({ status: 202, body: { status: 'FAILED' } });
    expect((await inventory.world.note('m-1'))?.errorMsg).toMatch(/^too-old/);
    expect(await inventory.stock()).toBe('10');
  });
});

describe('what cannot be taken', () => {
  const NO_DEDUCTIONS: [string, string | Buffer][] = [
    ['broken JSON', '{"a":'],
    ['nothing', ''],
    ['a negative quantity', '{"orderId":"1","productId":1,"quantity":-1}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])],
  ];

  it.each(NO_DEDUCTIONS)(
    'INB-04: when the body is %s, then it is kept once, byte for byte, as FAILED, and the answer is 422 each time',
    async (_, body) => {
      await inventory.start();
      for (let times = 1; times <= 2; times += 1) {
        expect(await inventory.deduct('m-1', body)).toMatchObject({
          status: 422,
          body: { code: 'not-a-deduction' },
        });
      }
      expect(await inventory.world.notes()).toMatchObject([{ messageId: 'm-1', status: 'FAILED' }]);
      const { content, encoding } = await inventory.storedNote('m-1');
      expect(Buffer.from(content, encoding as BufferEncoding)).toEqual(Buffer.from(body));
    },
  );

  it('when there is no usable key, JSON is not what it says it is, or it is too large, then nothing is kept', async () => {
    await inventory.start();
    const body = aBody();
    for (const key of [undefined, 'k'.repeat(65), 'schlüssel'])
      expect(await inventory.deduct(key, body)).toMatchObject({
        status: 400,
        body: { code: 'idempotency-key-invalid' },
      });
    expect(await inventory.deduct('m-1', body, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
    expect(await inventory.deduct('m-1', body, { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 });
    expect(await inventory.deduct('m-1', ' '.repeat(64 * 1024) + body)).toMatchObject({ status: 413 });
    expect(await inventory.world.notes()).toEqual([]);
  });
});

describe("the database's own trouble", () => {
  it('DB-01: when the answer of COMMIT is lost, then the answer is 503, and the same message again takes effect once', async () => {
    const proxy = await StatementProxy.before(inventory.world.fresh.url);
    inventory.world.atEnd(() => proxy[Symbol.asyncDispose]());
    await inventory.start({ INVENTORY_DB_URL: proxy.url });
    await inventory.putProduct(10);
    const body = aBody();
    proxy.strike('COMMIT;', 'cut-answer');
    const answer = await inventory.deduct('m-1', body);
    expect(answer).toMatchObject({ status: 503, body: { code: 'outcome-unknown' } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await inventory.deduct('m-1', body)).toMatchObject({ status: 200 });
    expect(await inventory.stock()).toBe('8');
    expect(await inventory.decisions()).toBe(1);
  });

  it('INB-03: when nothing can be written, then the answer is 503 and no attempt is used', async () => {
    const proxy = await StatementProxy.before(inventory.world.fresh.url);
    inventory.world.atEnd(() => proxy[Symbol.asyncDispose]());
    await inventory.start({ INVENTORY_DB_URL: proxy.url });
    await inventory.putProduct(10);
    const body = aBody();
    proxy.strike('INSERT INTO consumer_message', 'cut-before', 1_000);
    expect(await inventory.deduct('m-1', body)).toMatchObject({ status: 503 });
    proxy.heal();
    expect(await inventory.world.notes()).toEqual([]);
    expect(await inventory.deduct('m-1', body)).toMatchObject({ status: 200 });
    expect(await inventory.world.notes()).toMatchObject([{ status: 'SUCCESS', retryCount: 0 }]);
  });

  it('INB-03: when everything is refused with a number that is on no list, then the answer is 503, which uses no attempt of the sender', async () => {
    const proxy = await StatementProxy.before(inventory.world.fresh.url);
    inventory.world.atEnd(() => proxy[Symbol.asyncDispose]());
    await inventory.start({ INVENTORY_DB_URL: proxy.url });
    await inventory.putProduct(10);
    const bodies = Array.from({ length: 10 }, () => aBody());
    proxy.strike('INSERT INTO consumer_message', 'unlisted', 1_000);
    const answers = await Promise.all(bodies.map((body, n) => inventory.deduct(`m-${String(n)}`, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    proxy.heal();
    expect(await inventory.world.notes()).toEqual([]);
    expect(await inventory.deduct('m-1', bodies[1] ?? '')).toMatchObject({ status: 200 });
  });
});
