import { changeRows } from '../database/rows.js';
import { PermanentError } from '../errors.js';
import { QueueWorld } from '../testkit/consumer-world.js';
import { eventually } from '../testkit/eventually.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import { StatementProxy } from '../testkit/statement-proxy.js';
import { TcpProxy } from '../testkit/tcp-proxy.js';
import { claimForRetry } from './store/retry-claim.js';
import { sweepConsumerLeases } from './store/sweep.js';

let queue: QueueWorld;
let effect: ScriptedEffect;
beforeEach(async () => {
  queue = await QueueWorld.open();
  await ScriptedEffect.prepare(queue.world.db);
  effect = new ScriptedEffect();
  await declare();
});
afterEach(() => queue[Symbol.asyncDispose]());

/** The queues are there before the first message is. */
async function declare(): Promise<void> {
  const channel = await queue.publisher();
  expect(channel.isUp()).toBe(true);
}

const counts = (): Promise<Record<string, number>> => ScriptedEffect.counts(queue.world.db);
const ids = (count: number, prefix = 'm'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index)}`);
const once = (messageIds: readonly string[]): Record<string, number> =>
  Object.fromEntries(messageIds.map((id) => [id, 1]));

/** A proxy in front of the broker: cutting it is what the broker sees of a process that was killed. */
async function lineToBroker(): Promise<{ proxy: TcpProxy; amqpUrls: string }> {
  const { hostname: host, port } = queue.broker.address;
  const proxy = await TcpProxy.start({ host, port });
  queue.world.atEnd(() => proxy.stop());
  return { proxy, amqpUrls: queue.broker.url(proxy.listeningPort) };
}

async function lineToDatabase(): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(queue.world.fresh.url);
  const proxy = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.listeningPort);
  queue.world.atEnd(() => proxy.stop());
  return { proxy, url: url.href };
}

describe('what is committed is acknowledged', () => {
  it('when messages come, then each takes effect once and the queue ends empty', async () => {
    await queue.run(queue.replica(effect));
    ids(300).forEach((id) => queue.publish(id));
    await queue.world.untilNotes(300, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(ids(300)));
    expect(effect.calls.length).toBeLessThan(300);
  });

  it('INB-02: when each message comes three times to three consumers, then each takes effect once and no attempt is used', async () => {
    for (let index = 0; index < 3; index += 1) await queue.run(queue.replica(effect));
    for (let copy = 0; copy < 3; copy += 1) ids(100).forEach((id) => queue.publish(id));
    await queue.world.untilNotes(100, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(ids(100)));
    expect((await queue.world.notes()).every(({ retryCount }) => retryCount === 0)).toBe(true);
  });

  it('AMQP-05: when the connection is lost while an effect runs, then the late ack goes nowhere, and the message is delivered again and known', async () => {
    const { proxy, amqpUrls } = await lineToBroker();
    const duplicates: number[] = [];
    const db = queue.world.fresh.another();
    db.events.on('consumed', (facts) => duplicates.push(facts.duplicates));
    let done!: () => void;
    const finished = new Promise<void>((resolve) => (done = resolve));
    effect.before = () => finished;
    const lost = new Promise((resolve) => db.events.once('consumerLost', resolve));
    await queue.run(queue.replica(effect, { db, amqpUrls }));
    queue.publish('slow');
    await eventually(() => effect.calls.length === 1);
    proxy.reset();
    await lost;
    const back = new Promise((resolve) => db.events.once('consumerResumed', resolve));
    await back;
    done();
    queue.publish('next');
    await queue.world.untilNotes(2, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(['slow', 'next']));
    expect(duplicates.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('AMQP-11: when the broker closes the channel because an ack took too long, then consuming goes on and the effect took place once', async () => {
    await brokerSetting('consumer_timeout', 500, 1_800_000);
    await brokerSetting('channel_tick_interval', 300, 60_000);
    const db = queue.world.fresh.another();
    const lost = new Promise<{ reason: string }>((resolve) => db.events.once('consumerLost', resolve));
    let done!: () => void;
    const finished = new Promise<void>((resolve) => (done = resolve));
    effect.before = () => finished;
    await queue.run(queue.replica(effect, { db }));
    queue.publish('slow');
    expect((await lost).reason).toContain('406');
    done();
    queue.publish('next');
    await queue.world.untilNotes(2, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(['slow', 'next']));
  });

  async function brokerSetting(name: string, value: number, usual: number): Promise<void> {
    const set = (to: number): Promise<string> =>
      queue.broker.ctl('eval', `application:set_env(rabbit, ${name}, ${String(to)}).`);
    queue.world.atEnd(() => set(usual));
    await set(value);
  }

  it('DB-01: when the answer of COMMIT is lost, then the deliveries are kept, found noted and acknowledged', async () => {
    const line = await StatementProxy.before(queue.world.fresh.url);
    queue.world.atEnd(() => line[Symbol.asyncDispose]());
    await queue.run(queue.replica(effect, { db: queue.world.fresh.another({ url: line.url }) }));
    effect.before = (batch) => {
      if (batch.includes('m0') && effect.tries('m0') === 1) line.strike('COMMIT;', 'cut-answer');
    };
    ids(20).forEach((id) => queue.publish(id));
    await queue.world.untilNotes(20, 'SUCCESS');
    await queue.untilEmpty();
    expect(line.struck).toBe(1);
    expect(await counts()).toEqual(once(ids(20)));
  });
});

describe('while the database is away nothing is acknowledged and nothing returned', () => {
  it('INB-03: when the business transaction and its failure record fail, then the message is kept and takes effect when the database is back', async () => {
    const { proxy, url } = await lineToDatabase();
    const db = queue.world.fresh.another({ url, deadlineMs: 1_000, acquireTimeoutMs: 500 });
    await queue.run(queue.replica(effect, { db }));
    const paused = new Promise((resolve) => db.events.once('consumerPaused', resolve));
    proxy.swallow('toServer');
    queue.publish('kept');
    await paused;
    expect(await queue.held()).toBe(1);
    expect(await queue.world.notes()).toEqual([]);
    proxy.reset();
    proxy.heal();
    await queue.world.untilNotes(1, 'SUCCESS');
    await queue.untilEmpty();
    expect(await queue.world.note('kept')).toMatchObject({ retryCount: 0 });
    expect(await counts()).toEqual({ kept: 1 });
  });

  it('AMQP-12: when the database is away with 100 messages in the queue, then none is delivered again and again, and each takes effect once afterwards', async () => {
    const { proxy, url } = await lineToDatabase();
    const db = queue.world.fresh.another({ url, deadlineMs: 500, acquireTimeoutMs: 300 });
    const consuming = queue.replica(effect, { db });
    const tries = jest.spyOn(consuming.inbox, 'handle');
    await queue.run(consuming);
    queue.publish('first');
    await queue.world.untilNotes(1, 'SUCCESS');
    proxy.swallow('toServer');
    const paused = new Promise((resolve) => db.events.once('consumerPaused', resolve));
    ids(100).forEach((id) => queue.publish(id));
    await paused;
    const before = tries.mock.calls.length;
    await eventually(() => tries.mock.calls.length >= before + 2);
    // A message that was returned would come with a count.
    const received = tries.mock.calls.flatMap(([messages]) => messages);
    expect(received.filter(({ headers }) => 'x-delivery-count' in headers)).toEqual([]);
    expect(await queue.held()).toBe(100);
    proxy.reset();
    proxy.heal();
    await queue.world.untilNotes(101, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(['first', ...ids(100)]));
    expect(tries.mock.calls.length).toBeLessThan(130);
  });

  it('INB-03: when the sessions are killed again and again, then no attempt is used and nothing is doubled', async () => {
    const db = queue.world.fresh.another();
    await queue.run(queue.replica(effect, { db, batch: 10 }));
    effect.before = async (_, trx) => {
      if (effect.calls.length % 3 !== 0) return;
      const [rows] = (await trx.raw('SELECT CONNECTION_ID() AS id')) as [{ id: number }[]];
      await changeRows(queue.world.db.knex, `KILL ${String(rows[0]?.id)}`);
    };
    ids(60).forEach((id) => queue.publish(id));
    await queue.world.untilNotes(60, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(ids(60)));
    expect((await queue.world.notes()).every(({ retryCount }) => retryCount === 0)).toBe(true);
  });

  it('when it is stopped while the database is away, then it stops, and its deliveries are in the queue', async () => {
    const { proxy, url } = await lineToDatabase();
    const db = queue.world.fresh.another({ url, deadlineMs: 500, acquireTimeoutMs: 300 });
    const consuming = queue.replica(effect, { db });
    await queue.run(consuming);
    const paused = new Promise((resolve) => db.events.once('consumerPaused', resolve));
    proxy.swallow('toServer');
    queue.publish('kept');
    await paused;
    for (const service of [...consuming.services].reverse()) await service.stop();
    await queue.untilWaiting(1);
  });
});

describe('poison', () => {
  const good = '{"orderId":"1"}';
  const bodies: [string, string | undefined, Buffer | string][] = [
    ['broken JSON', 'broken', '{"a":'],
    ['an empty body', 'empty', ''],
    ['bytes that are no text', 'bytes', Buffer.from([0xff, 0xfe, 0xff])],
    ['a JSON null', 'null', 'null'],
    ['no message id', undefined, good],
    ['a message id that is too long', 'x'.repeat(200), good],
    ['a message id with a blank at its end', 'blank ', good],
    ['a message id outside ASCII', 'ключ', good],
    ['a wrong type', 'type', '{"orderId":5}'],
  ];

  function readOrderId({ body }: { body: Buffer }): string {
    const parsed = parse(body.toString()) as { orderId?: unknown } | null;
    if (typeof parsed?.orderId !== 'string') throw new PermanentError('The body does not fit');
    return parsed.orderId;
  }

  function parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new PermanentError('The body is not JSON', { cause });
    }
  }

  it.each(bodies)(
    'INB-04: when a message comes with %s, then it is kept once as FAILED and the next message takes effect',
    async (_, messageId, body) => {
      effect.readBody = readOrderId;
      await queue.run(queue.replica(effect));
      queue.publish(messageId, body);
      queue.publish(messageId, body);
      queue.publish('good', good);
      await queue.world.untilNotes(1, 'SUCCESS');
      await queue.untilEmpty();
      const failed = (await queue.world.notes()).filter(({ status }) => status === 'FAILED');
      expect(failed).toHaveLength(1);
      expect(failed[0]?.messageId).toMatch(
        messageId !== undefined && /^[!-~]{1,64}$/.test(messageId) ? messageId : /^sha256:[\w-]{43}$/,
      );
      expect(await counts()).toEqual({ good: 1 });
      expect(await queue.held(queue.deadQueue)).toBe(0);
    },
  );

  it('when no statement can hold a message, then it ends in the dead-letter queue, stays there, and consuming goes on', async () => {
    const failures: string[] = [];
    const db = queue.world.fresh.another();
    db.events.on('loopFailed', ({ error }) => failures.push(error.message));
    await queue.run(queue.replica(effect, { db }));
    queue.publish('huge', Buffer.alloc(17 * 1024 * 1024, '{'));
    queue.publish('good');
    await queue.world.untilNotes(1, 'SUCCESS');
    await queue.untilEmpty();
    await eventually(() => failures.some((text) => text.includes('stays in test.dead')));
    expect(await queue.held(queue.deadQueue)).toBe(1);
    expect(await queue.world.note('huge')).toBeNull();
  });
});

describe('a message that kills its process', () => {
  it('AMQP-14: when it does so at every delivery, then its neighbours take effect, the dead-letter reader notes it, and nothing vanishes', async () => {
    const { proxy, amqpUrls } = await lineToBroker();
    effect.before = (batch) => {
      if (!batch.includes('killer') || effect.tries('killer') > 4) return;
      proxy.reset();
      throw Object.assign(new Error('killed'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true });
    };
    const before = ids(5, 'before');
    const after = ids(5, 'after');
    before.forEach((id) => queue.publish(id));
    queue.publish('killer');
    after.forEach((id) => queue.publish(id));
    await queue.untilWaiting(11);
    await queue.run(queue.replica(effect, { amqpUrls, redeliveryPollMs: 60_000 }));
    const note = await queue.world.untilNote('killer', () => true);
    expect(note).toMatchObject({
      status: 'PENDING_RETRY',
      retryCount: 1,
      exchange: 'test.exchange',
      routingKey: 'key',
      receivedBy: 'test.queue',
    });
    expect(note.errorMsg).toContain('delivery_limit');
    await queue.world.untilNotes(10, 'SUCCESS');
    await queue.untilEmpty();
    await queue.untilEmpty(queue.deadQueue);
    expect(await counts()).toEqual(once([...before, ...after]));
  }, 60_000);

  it('RLY-04: when the redelivery of a dead letter takes its process down each time as well, then it ends FAILED as worker-lost', async () => {
    const { world } = queue;
    queue.broker.channel.sendToQueue(queue.deadQueue, Buffer.from('{}'), { messageId: 'killer' });
    await queue.run(queue.replica(effect, { redeliveryPollMs: 60_000 }));
    await world.untilNote('killer', ({ status }) => status === 'PENDING_RETRY');
    for (let lost = 1; lost <= 5; lost += 1) {
      await world.makeDue();
      expect(await claimForRetry(world.db, { consumers: ['test'], leaseMs: () => 30_000 })).not.toBeNull();
      await world.makeDue();
      await sweepConsumerLeases(world.db);
    }
    expect(await world.note('killer')).toMatchObject({ status: 'FAILED', lostCount: 5, retryCount: 1 });
    expect((await world.note('killer'))?.errorMsg).toMatch(/^worker-lost/);
  });

  it('when a dead letter has a note already, then the note stands', async () => {
    await queue.run(queue.replica(effect));
    queue.publish('done');
    const note = await queue.world.untilNote('done', ({ status }) => status === 'SUCCESS');
    queue.broker.channel.sendToQueue(queue.deadQueue, Buffer.from('{}'), { messageId: 'done' });
    await queue.untilEmpty(queue.deadQueue);
    expect(await queue.world.note('done')).toEqual(note);
  });
});
