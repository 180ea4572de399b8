import { answerLate, dribbleBody } from './channels/http/testing/receiver.js';
import { changeRows, selectRows } from './database/rows.js';
import { runInTransaction } from './database/transaction.js';
import { replayMessage, retryMessage } from './producer/store/actions.js';
import { archiveAll } from './maintenance/testing/archiving.js';
import { SENT_MESSAGES } from './producer/store/archive.js';
import { eventually } from './testkit/eventually.js';
import { HttpWorld } from './testkit/http-world.js';
import { aCommand } from './testkit/table-world.js';

const ANN = { who: 'ann', why: 'the receiver is mended' };
const WEEK_MS = 7 * 24 * 3_600_000;

let http: HttpWorld;
beforeEach(async () => {
  http = await HttpWorld.open();
});
afterEach(async () => {
  await http[Symbol.asyncDispose]();
});

describe('a message goes out over HTTP', () => {
  it('WH-04: when the first attempt is not answered, then the second has the same key and the same bytes', async () => {
    const { receiver, seen } = await http.receiver('never', 200);
    const table = await http.start([receiver.url]);
    const { messageId } = await http.accept(table, receiver.url);
    await http.world.until(messageId, ({ version, status }) => version === 2 && status === 'PENDING');
    await http.world.makeDue();
    await http.world.until(messageId, ({ status }) => status === 'SENT');
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([messageId, messageId]);
    expect(seen.map(({ body }) => body.toString('utf8'))).toEqual(Array(2).fill('{ "name" : "Zwölf ✓" }'));
    expect(await http.world.row(messageId)).toMatchObject({ retryCount: 0 });
  });

  it('when it is accepted in our own transaction, then the fast path sends it', async () => {
    const { receiver, seen } = await http.receiver(200);
    const table = await http.start([receiver.url], {}, { fastPathPlaces: 5, pollMs: 60_000 });
    const { messageId } = await http.accept(table, receiver.url);
    await http.world.until(messageId, ({ status }) => status === 'SENT');
    expect(seen).toHaveLength(1);
  });

  it('WH-03: when the receiver says that the request is wrong, then it is FAILED at once, and a retry by a person goes to the same place', async () => {
    const { receiver, seen } = await http.receiver(422, 200);
    const table = await http.start([receiver.url]);
    const { messageId } = await http.accept(table, receiver.url);
    await http.world.until(messageId, ({ status }) => status === 'FAILED');
    const { channelConfig, errorMsg } = await http.route(messageId);
    expect(errorMsg).toContain('answered 422');
    expect(await retryMessage(http.world.db, messageId, ANN, WEEK_MS)).toBe('done');
    await http.world.until(messageId, ({ status }) => status === 'SENT');
    expect((await http.route(messageId)).channelConfig).toBe(channelConfig);
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([messageId, messageId]);
  });

  it('when it was archived, then a replay goes to the same place under the same key', async () => {
    const { receiver, seen } = await http.receiver(200);
    const table = await http.start([receiver.url]);
    const { messageId } = await http.accept(table, receiver.url);
    await http.world.until(messageId, ({ status }) => status === 'SENT');
    const { channelConfig } = await http.route(messageId);
    const old = 'NOW(3) - INTERVAL 2 HOUR';
    await changeRows(http.world.db.knex, `UPDATE producer_message SET id = 4194304, update_time = ${old}`);
    expect(await archiveAll(http.world.db, SENT_MESSAGES)).toEqual([1]);
    expect(await replayMessage(http.world.db, messageId, ANN, WEEK_MS)).toBe('done');
    await http.world.until(messageId, ({ status }) => status === 'SENT');
    expect((await http.route(messageId)).channelConfig).toBe(channelConfig);
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([messageId, messageId]);
  });
});

describe('a host in trouble is left alone', () => {
  it('WH-02: when it asks for a rest, then the message waits at least so long without an attempt used, and the next one is not sent', async () => {
    const receiver = await http.answering((_, response) => response.writeHead(503, { 'retry-after': '120' }).end());
    const table = await http.start([receiver.url]);
    const first = await http.accept(table, receiver.url);
    const waits = await http.world.until(
      first.messageId,
      ({ version, status }) => version === 2 && status === 'PENDING',
    );
    expect(waits.retryCount).toBe(0);
    expect(waits.dueInMs).toBeGreaterThan(118_000);
    expect(waits.dueInMs).toBeLessThan(146_000);
    const second = await http.accept(table, `${receiver.url}/another-path`);
    await http.world.until(second.messageId, ({ dueInMs }) => (dueInMs ?? 0) > 60_000);
    expect((await http.route(second.messageId)).parkedFor).toBe(`http http://127.0.0.1:${String(receiver.port)}`);
    expect(receiver.connections()).toBe(1);
  });

  it.each(['-5', 'soon', '1.5'])('WH-02: when it says %s, then the usual pause holds', async (retryAfter) => {
    const receiver = await http.answering((_, response) =>
      response.writeHead(503, { 'retry-after': retryAfter }).end(),
    );
    const table = await http.start([receiver.url]);
    const { messageId } = await http.accept(table, receiver.url);
    const row = await http.world.until(messageId, ({ version, status }) => version === 2 && status === 'PENDING');
    expect(row.dueInMs).toBeGreaterThan(1_000);
    expect(row.dueInMs).toBeLessThan(2_500);
  });

  it('when it refuses connections, then its breaker opens, and messages for others go out', async () => {
    const { receiver, seen } = await http.receiver(200);
    const { receiver: gone } = await http.receiver(200);
    await gone[Symbol.asyncDispose]();
    const table = await http.start([receiver.url, gone.url]);
    const waiting = await Promise.all(Array.from({ length: 8 }, () => http.accept(table, gone.url)));
    await eventually(async () => {
      await http.world.makeDue('parked_for IS NULL');
      const routes = await Promise.all(waiting.map(({ messageId }) => http.route(messageId)));
      return routes.some(({ parkedFor }) => parkedFor === `http http://127.0.0.1:${String(gone.port)}`);
    });
    const { messageId } = await http.accept(table, receiver.url);
    await http.world.until(messageId, ({ status }) => status === 'SENT');
    expect(seen).toHaveLength(1);
    for (const { messageId: id } of waiting) expect(await http.world.row(id)).toMatchObject({ retryCount: 0 });
  });

  it('WH-03: when it took another message lately, then its trouble uses an attempt of the one it is about', async () => {
    const { receiver } = await http.receiver(200, 503);
    const table = await http.start([receiver.url], { breakerWindowMs: 60_000 });
    const fine = await http.accept(table, receiver.url);
    await http.world.until(fine.messageId, ({ status }) => status === 'SENT');
    const { messageId } = await http.accept(table, receiver.url);
    const row = await http.world.until(messageId, ({ version, status }) => version === 2 && status === 'PENDING');
    expect(row).toMatchObject({ retryCount: 1 });
  });

  it('WH-01: when bodies never end, then their attempts do by what the status says, and messages for others are not held up', async () => {
    const { receiver } = await http.receiver(200);
    const stuck = await http.answering((_, response) => dribbleBody(response, 50));
    const table = await http.start([receiver.url, stuck.url], {}, { batch: 20 });
    const waiting = await Promise.all(Array.from({ length: 15 }, () => http.accept(table, stuck.url)));
    const { messageId } = await http.accept(table, receiver.url);
    await http.world.until(messageId, ({ status }) => status === 'SENT');
    for (const { messageId: id } of waiting) {
      expect(await http.world.until(id, ({ status }) => status === 'SENT')).toMatchObject({
        retryCount: 0,
        version: 2,
      });
    }
  });
});

describe('a slow host has a few places', () => {
  it('when it takes its time for each message, then messages for others go out in between, and its own wait without an attempt used', async () => {
    const { receiver } = await http.receiver(200);
    let [now, most] = [0, 0];
    const slow = await http.answering((_, response) => {
      most = Math.max(most, (now += 1));
      response.on('close', () => (now -= 1));
      answerLate(response, 1_000);
    });
    const table = await http.start(
      [receiver.url, slow.url],
      { attemptTimeoutMs: 4_000, perHost: 3 },
      { attemptTimeoutMs: 4_000, batch: 10 },
    );
    const waiting = await Promise.all(Array.from({ length: 15 }, () => http.accept(table, slow.url)));
    const { messageId } = await http.accept(table, receiver.url);
    await http.world.until(messageId, ({ status }) => status === 'SENT');
    expect((await http.world.rows(`WHERE status <> 'SENT'`)).length).toBeGreaterThan(3);
    for (const { messageId: id } of waiting) {
      expect(await http.world.until(id, ({ status }) => status === 'SENT')).toMatchObject({ retryCount: 0 });
    }
    expect(most).toBeLessThanOrEqual(3);
  });
});

describe('nothing goes where it must not', () => {
  it.each([301, 302, 303, 307, 308])(
    'SSRF-02: when the answer is %d, then it is not followed and the message is FAILED',
    async (status) => {
      const { receiver: sink } = await http.receiver(200);
      const receiver = await http.answering((_, response) => response.writeHead(status, { location: sink.url }).end());
      const table = await http.start([receiver.url, sink.url]);
      const { messageId } = await http.accept(table, receiver.url);
      await http.world.until(messageId, (row) => row.status === 'FAILED');
      expect((await http.route(messageId)).errorMsg).toContain(`answered ${String(status)}`);
      expect(sink.connections()).toBe(0);
    },
  );

  it('SSRF-01: when the name of a listed host resolves to a private address, then the message is FAILED and nothing connects', async () => {
    const { receiver } = await http.receiver(200);
    const name = `http://receiver.test:${String(receiver.port)}/hook`;
    const lookup = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const table = await http.start([name], { allowPrivate: [], lookup });
    const { messageId } = await http.accept(table, name);
    await http.world.until(messageId, ({ status }) => status === 'FAILED');
    expect((await http.route(messageId)).errorMsg).toContain('is loopback');
    expect(receiver.connections()).toBe(0);
  });

  it('SSRF-01: when somebody writes a row past the door, then it is FAILED and nothing connects', async () => {
    const { receiver } = await http.receiver(200);
    const allowed = 'https://hooks.example:8443/';
    const table = await http.start([allowed]);
    const { messageId } = await http.accept(table, allowed, { delayMs: 60_000 });
    const config = JSON.stringify({ url: receiver.url });
    await changeRows(http.world.db.knex, 'UPDATE producer_message SET channel_config = ?', [config]);
    await http.world.makeDue();
    await http.world.until(messageId, ({ status }) => status === 'FAILED');
    expect((await http.route(messageId)).errorMsg).toContain('is not in HTTP_ALLOW');
    expect(receiver.connections()).toBe(0);
  });

  it.each([
    ['a host that is not listed', { config: { url: 'https://elsewhere.example/' } }],
    [
      'a header that breaks the request',
      { config: { url: 'https://hooks.example:8443/', headers: { 'x-a': 'a\r\nb' } } },
    ],
    ['a key of its own', { config: { url: 'https://hooks.example:8443/' }, headers: { 'idempotency-key': 'x' } }],
  ])(
    'WH-04: when a command has %s, then the business rows of its transaction are not written either',
    async (_, fields) => {
      const table = await http.start(['https://hooks.example:8443/']);
      await http.world.db.knex.raw('CREATE TABLE business (id INT PRIMARY KEY)');
      const failing = runInTransaction(http.world.db, async (trx) => {
        await changeRows(trx, 'INSERT INTO business VALUES (1)');
        await table.acceptor.accept(trx, aCommand({ taskName: 'hook', channel: 'http', content: {}, ...fields }));
      });
      await expect(failing).rejects.toMatchObject({ name: 'MessageTableError' });
      expect(await selectRows(http.world.db.knex, 'SELECT id FROM business')).toEqual([]);
      expect(await http.world.rows()).toEqual([]);
    },
  );
});
