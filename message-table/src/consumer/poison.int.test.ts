import { PermanentError } from '../errors.js';
import { eventually } from '../testkit/eventually.js';
import { QueueWorld } from '../testkit/queue-world.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import { claimForRetry } from './store/retry-claim.js';
import { sweepConsumerLeases } from './store/sweep.js';

let queue: QueueWorld;
let effect: ScriptedEffect;
beforeEach(async () => {
  queue = await QueueWorld.open();
  await ScriptedEffect.prepare(queue.world.db);
  effect = new ScriptedEffect();
  await queue.publisher();
});
afterEach(() => queue[Symbol.asyncDispose]());

const counts = (): Promise<Record<string, number>> => ScriptedEffect.counts(queue.world.db);
const ids = (count: number, prefix = 'm'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index)}`);
const once = (messageIds: readonly string[]): Record<string, number> =>
  Object.fromEntries(messageIds.map((id) => [id, 1]));

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
    // Not UTF-8, so kept as base64: a third more than a broker takes is more than a column or a packet holds.
    queue.publish('huge', Buffer.alloc(14 * 1024 * 1024, 0xff));
    queue.publish('good');
    await queue.world.untilNotes(1, 'SUCCESS');
    await queue.untilEmpty();
    await eventually(() => failures.some((text) => text.includes('stays in test.dead')));
    expect(await queue.held(queue.deadQueue)).toBe(1);
    expect(await queue.world.note('huge')).toBeNull();
  });
});

describe('a message that kills its process', () => {
  it('AMQP-14: when it does so at every delivery, then its neighbours take effect, the dead-letter reader notes it, and nothing vanishes [new→PENDING_RETRY dead-lettered] (design)', async () => {
    const { proxy, amqpUrls } = await queue.lineToBroker();
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
