import { once } from 'node:events';

import { lookAtQueue, RabbitConnection } from '../channels/rabbitmq/index.js';
import { createEvents, type MessageTableEventMap } from '../observe/events.js';
import { eventually } from '../testkit/eventually.js';
import { QueueWorld } from '../testkit/queue-world.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';

let queue: QueueWorld;
beforeEach(async () => {
  queue = await QueueWorld.open();
});
afterEach(() => queue[Symbol.asyncDispose]());

/** Open, and closed at the end. */
async function connected(amqpUrls: string, deadlineMs = 2_000): Promise<RabbitConnection> {
  const { topology, world } = queue;
  const common = { topology, events: createEvents(), connectionName: 'look', heartbeatS: 10 };
  const connection = new RabbitConnection({ ...common, urls: amqpUrls, deadlineMs });
  connection.start();
  world.atEnd(() => connection.stop());
  await eventually(() => connection.current() !== null);
  return connection;
}

describe('how much waits in a queue', () => {
  it('when somebody looks, then the number is that of the broker, and no channel stays open', async () => {
    await queue.publisher();
    for (const id of ['1', '2', '3']) queue.publish(id);
    await queue.untilWaiting(3);
    const connection = await connected(queue.broker.url());
    // More than a connection may have channels, were they kept.
    for (let round = 0; round < 21; round += 1) {
      const looks = Array.from({ length: 100 }, () => lookAtQueue(connection, queue.queue));
      expect(new Set(await Promise.all(looks))).toEqual(new Set([3]));
    }
    expect(await lookAtQueue(connection, queue.deadQueue)).toBe(0);
  });

  it('when the queue is not there, then that is the answer, and the connection stays', async () => {
    const connection = await connected(queue.broker.url());
    const link = connection.current();
    await expect(lookAtQueue(connection, 'nowhere')).rejects.toThrow('NOT_FOUND');
    expect(connection.current()).toBe(link);
    expect(await lookAtQueue(connection, queue.queue)).toBe(0);
  });

  it('when the broker does not answer in time, then the look ends and the connection stays', async () => {
    const { proxy, amqpUrls } = await queue.lineToBroker();
    const connection = await connected(amqpUrls, 300);
    const link = connection.current();
    proxy.swallow('toServer', 'toClient');
    await expect(lookAtQueue(connection, queue.queue)).rejects.toThrow('no answer within 300 ms');
    expect(connection.current()).toBe(link);
  });

  it('when a service consumes, then it tells what is in both of its queues', async () => {
    const db = queue.world.fresh.another();
    await ScriptedEffect.prepare(queue.world.db);
    type Told = MessageTableEventMap['queuesSeen'];
    const seen = (): Promise<Told> => once(db.events, 'queuesSeen') as Promise<Told>;
    const first = seen();
    const consuming = queue.replica(new ScriptedEffect(), { db });
    await queue.run(consuming);
    expect((await first)[0].queues.map(({ queue: name, kind }) => `${name} ${kind}`)).toEqual([
      'test.queue work',
      'test.dead dead',
    ]);
    expect(consuming.loops.every((loop) => loop.isTurning())).toBe(true);
    expect(consuming.loops.map(({ name }) => name)).toContain('queue-watch');
  });
});
