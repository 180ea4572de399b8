import { createEvents, type MessageTableEvents } from '../../observe/events.js';
import { TcpProxy } from '../../testkit/tcp-proxy.js';
import { RabbitConnection } from './connection.js';
import type { Delivery } from './delivery.js';
import { subscribe, type Subscription } from './subscription.js';
import { eventually, nextEvent, randomName, servers, TestBroker, testTopology } from './testing/broker.js';

const from = servers(process.env);
const itWithManagement = from.managementUrl ? it : it.skip;
const itWithCtl = from.ctl ? it : it.skip;

let broker: TestBroker;
let events: MessageTableEvents;
const stopAfter: (() => Promise<void>)[] = [];

beforeAll(async () => {
  broker = await TestBroker.open(from);
});
afterAll(() => broker.close());
beforeEach(() => {
  events = createEvents();
});
afterEach(async () => {
  for (const stop of stopAfter.splice(0)) await stop();
});

interface Consumer {
  readonly subscription: Subscription;
  readonly connection: RabbitConnection;
  readonly connectionName: string;
  readonly queue: string;
  readonly deliveries: Delivery[];
  readonly lostCount: () => number;
  publish(...ids: string[]): void;
  /** The deliveries so far, as soon as there are so many. */
  received(count: number): Promise<Delivery[]>;
}

interface Wishes {
  readonly prefetch?: number;
  readonly url?: string;
  readonly autoAck?: boolean;
  readonly heartbeatS?: number;
  readonly queueArguments?: Record<string, unknown>;
}

async function consumer({
  prefetch = 10,
  url,
  autoAck = false,
  heartbeatS = 10,
  queueArguments,
}: Wishes = {}): Promise<Consumer> {
  const topology = testTopology(queueArguments);
  const { queue } = topology;
  const connectionName = `consumer-${randomName()}`;
  const connection = new RabbitConnection({
    urls: url ?? broker.url(),
    topology,
    events,
    connectionName,
    deadlineMs: 2_000,
    heartbeatS,
  });
  const deliveries: Delivery[] = [];
  let lost = 0;
  const onDelivery = (delivery: Delivery): void => {
    deliveries.push(delivery);
    if (autoAck) subscription.ack([delivery]);
  };
  const onLost = (): void => void (lost += 1);
  const subscription = subscribe({ connection, queue, prefetch, events, consumer: queue, onDelivery, onLost });
  stopAfter.push(
    () => subscription.stop(),
    () => connection.stop(),
  );
  const consuming = nextEvent(events, 'consumerResumed');
  connection.start();
  subscription.start();
  await consuming;
  const publish = (...ids: string[]): void => {
    for (const messageId of ids)
      broker.channel.publish(topology.exchange, 'key', Buffer.from('{}'), { messageId, headers: { 'x-created': 7 } });
  };
  const received = async (count: number): Promise<Delivery[]> => {
    await eventually(() => deliveries.length >= count, `${count} deliveries, got ${deliveries.length}`);
    return deliveries;
  };
  return { subscription, connection, connectionName, queue, deliveries, lostCount: () => lost, publish, received };
}

const idsOf = (deliveries: readonly Delivery[]): (string | undefined)[] => deliveries.map(({ messageId }) => messageId);

async function settledAt(queue: string, messageCount: number): Promise<void> {
  await eventually(
    async () => (await broker.messagesIn(queue)) === messageCount,
    `${messageCount} messages in ${queue}`,
  );
}

async function proxy(): Promise<TcpProxy> {
  const { hostname: host, port } = broker.address;
  const line = await TcpProxy.start({ host, port });
  stopAfter.push(() => line.stop());
  return line;
}

async function consumersAt(queue: string, count: number): Promise<void> {
  await eventually(async () => (await broker.consumersOf(queue)) === count, `${count} consumers of ${queue}`);
}

describe('A subscription hands over what the queue has', () => {
  it('when a message comes, then with all that is known of it', async () => {
    const { publish, received, queue } = await consumer();
    publish('a');
    const [delivery] = await received(1);
    expect(delivery).toMatchObject({
      messageId: 'a',
      queue,
      routingKey: 'key',
      createdMs: 7,
      deliveryCount: 0,
      redelivered: false,
    });
    expect(delivery?.body.toString()).toBe('{}');
    expect(delivery?.alive()).toBe(true);
  });

  it('when deliveries are acked out of order, then each of them is acked and no other', async () => {
    const { subscription, publish, received, queue } = await consumer();
    publish('first');
    subscription.ack(await received(1));
    publish('a', 'b', 'c', 'd');
    const [, a, b, c, d] = await received(5);
    if (!a || !b || !c || !d) throw new Error('no deliveries');
    subscription.ack([d, b]);
    subscription.ack([d]);
    subscription.ack([a]);
    await subscription.stop();
    await settledAt(queue, 1);
    expect((await broker.take(queue)).properties.messageId).toBe('c');
    expect(c.alive()).toBe(false);
  });

  it('when one is dead-lettered, then the queue gives it to its dead-letter route', async () => {
    const dead = testTopology();
    await broker.channel.assertQueue(dead.queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    const route = { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': dead.queue };
    const { subscription, publish, received } = await consumer({ queueArguments: route });
    publish('poison');
    const [poison] = await received(1);
    if (poison) subscription.deadLetter(poison);
    expect((await broker.take(dead.queue)).properties.messageId).toBe('poison');
  });
});

describe('A consumer begins slowly and speeds up on proof', () => {
  it('when it begins, then one at a time, and the full prefetch after the first ack', async () => {
    const { subscription, publish, received, deliveries, queue } = await consumer({ prefetch: 5 });
    publish('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i');
    await received(1);
    await settledAt(queue, 8);
    expect(deliveries).toHaveLength(1);
    subscription.ack(deliveries.slice(0, 1));
    await received(6);
    // The slow consumer, on its way out, may still have been given one.
    await eventually(async () => (await broker.messagesIn(queue)) === 9 - deliveries.length, 'the broker to rest');
    expect([6, 7]).toContain(deliveries.length);
  });

  itWithManagement('when deliveries were returned before, then one at a time until one that was not', async () => {
    const { subscription, connection, publish, received, deliveries, queue } = await consumer({ prefetch: 5 });
    publish('proof');
    subscription.ack(await received(1));
    publish('a', 'b', 'c', 'd', 'e');
    await received(6);
    connection.destroy('test');
    const returned = await received(7);
    expect(returned[6]).toMatchObject({ deliveryCount: 1, redelivered: true });
    for (let at = 6; at < 11; at += 1) {
      await received(at + 1);
      await settledAt(queue, 10 - at);
      expect(deliveries).toHaveLength(at + 1);
      subscription.ack(deliveries.slice(at, at + 1));
    }
    publish('f', 'g', 'h');
    await received(12);
    await settledAt(queue, 2);
    subscription.ack(deliveries.slice(11, 12));
    await received(14);
    expect(new Set(idsOf(deliveries.slice(6)))).toEqual(new Set(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']));
  });
});

describe('A paused consumer keeps what it has and takes no more', () => {
  it('when it is paused and resumed, then nothing is returned and nothing is missed', async () => {
    const { subscription, publish, received, deliveries, queue } = await consumer();
    publish('proof');
    subscription.ack(await received(1));
    publish('a', 'b');
    await received(3);
    await subscription.pause('the database is away');
    expect(subscription.isConsuming()).toBe(false);
    await consumersAt(queue, 0);
    publish('c');
    await settledAt(queue, 1);
    expect(deliveries[1]?.alive()).toBe(true);
    await subscription.resume();
    await received(4);
    subscription.ack(deliveries.slice(1));
    expect(idsOf(deliveries)).toEqual(['proof', 'a', 'b', 'c']);
    await subscription.stop();
    await settledAt(queue, 0);
  });

  it('when the connection is lost while it is paused, then it stays paused on the next one', async () => {
    const { subscription, connection, publish, received, queue } = await consumer();
    await subscription.pause('the database is away');
    publish('a');
    const back = nextEvent(events, 'brokerConnected');
    connection.destroy('test');
    await back;
    await consumersAt(queue, 0);
    await subscription.resume();
    expect(idsOf(await received(1))).toEqual(['a']);
  });
});

describe('There is one consumer per subscription, whatever happens to the broker', () => {
  it('AMQP-03: when the queue is deleted, then queue, binding and consumer are made again', async () => {
    const { subscription, publish, received, queue, lostCount } = await consumer({ autoAck: true });
    const lost = nextEvent(events, 'consumerLost');
    const back = nextEvent(events, 'consumerResumed');
    await broker.channel.deleteQueue(queue);
    expect((await lost).reason).toContain('cancelled');
    expect(lostCount()).toBe(1);
    await back;
    expect(subscription.isConsuming()).toBe(true);
    publish('after');
    expect(idsOf(await received(1))).toEqual(['after']);
    await consumersAt(queue, 1);
  });

  itWithManagement(
    'AMQP-04: when the connection is closed five times, then one consumer and one connection are left',
    async () => {
      const { connectionName, connection, publish, received, queue, subscription } = await consumer({ autoAck: true });
      for (let round = 1; round <= 5; round += 1) {
        const back = nextEvent(events, 'consumerResumed');
        if (round === 1) await broker.forceClose(connectionName);
        else connection.destroy(`round ${round}`);
        await back;
        publish(`round-${round}`);
        await received(round);
      }
      await consumersAt(queue, 1);
      await eventually(async () => (await broker.connectionsNamed(connectionName)).length === 1, 'one connection');
      await settledAt(queue, 0);
      expect(subscription.isConsuming()).toBe(true);
    },
  );

  itWithCtl(
    'AMQP-04: when the broker itself restarts, then one consumer is left, and it consumes',
    async () => {
      const { publish, received, queue } = await consumer({ autoAck: true });
      const back = nextEvent(events, 'consumerResumed');
      await broker.ctl('stop_app');
      await broker.ctl('start_app');
      await back;
      await broker.reconnect();
      publish('after');
      expect(idsOf(await received(1))).toEqual(['after']);
      await consumersAt(queue, 1);
    },
    60_000,
  );

  it('AMQP-05: when a delivery is acked after its channel is gone, then the ack goes nowhere', async () => {
    const { subscription, connection, publish, received, queue, deliveries } = await consumer();
    publish('a');
    const [old] = await received(1);
    const back = nextEvent(events, 'consumerResumed');
    connection.destroy('test');
    await back;
    await received(2);
    if (!old) throw new Error('no delivery');
    expect(old.alive()).toBe(false);
    subscription.ack([old]);
    subscription.deadLetter(old);
    publish('b');
    expect(subscription.isConsuming()).toBe(true);
    await settledAt(queue, 1);
    subscription.ack(deliveries.slice(1));
    expect(idsOf(await received(3))).toEqual(['a', 'a', 'b']);
  });

  it('AMQP-08: when the broker closes only the channel, then only a channel is opened again', async () => {
    const { connection, subscription, publish, received, queue } = await consumer();
    publish('a');
    const [delivery] = await received(1);
    const link = connection.current();
    const spare = await link?.openChannel();
    spare?.ack({ fields: { deliveryTag: 99 } } as never);
    await eventually(
      async () =>
        spare?.prefetch(1).then(
          () => false,
          () => true,
        ) ?? false,
      'the 406',
    );
    expect(delivery?.alive()).toBe(true);
    expect(subscription.isConsuming()).toBe(true);
    expect(connection.current()).toBe(link);
    await consumersAt(queue, 1);
  });

  itWithCtl(
    'AMQP-11: when an ack takes longer than the broker waits, then the channel is opened again and late acks are dropped',
    async () => {
      const setting = async (name: string, value: number): Promise<void> =>
        void (await broker.ctl('eval', `application:set_env(rabbit, ${name}, ${value}).`));
      await setting('consumer_timeout', 500);
      await setting('channel_tick_interval', 300);
      stopAfter.push(
        () => setting('consumer_timeout', 1_800_000),
        () => setting('channel_tick_interval', 60_000),
      );
      const { subscription, connection, publish, received, queue, deliveries } = await consumer();
      const link = connection.current();
      const lost = nextEvent(events, 'consumerLost');
      publish('slow');
      const [slow] = await received(1);
      expect((await lost).reason).toContain('406');
      await received(2);
      if (slow) subscription.ack([slow]);
      subscription.ack(deliveries.slice(1));
      publish('next');
      await received(3);
      subscription.ack(deliveries.slice(2));
      await settledAt(queue, 0);
      expect(connection.current()).toBe(link);
      expect(idsOf(deliveries)).toEqual(['slow', 'slow', 'next']);
    },
  );

  it('AMQP-01: when the line goes silent, then the heartbeat finds out and the consumer comes back', async () => {
    const line = await proxy();
    const { publish, received } = await consumer({ url: broker.url(line.listeningPort), heartbeatS: 1, autoAck: true });
    const lost = nextEvent(events, 'consumerLost');
    line.swallow('toServer', 'toClient');
    expect((await lost).reason).toContain('Heartbeat');
    const back = nextEvent(events, 'consumerResumed');
    line.heal();
    await back;
    publish('after');
    expect(idsOf(await received(1))).toEqual(['after']);
  });

  it('when it is stopped while the line is silent, then it ends within a second or two', async () => {
    const line = await proxy();
    const { subscription, connection } = await consumer({ url: broker.url(line.listeningPort) });
    line.swallow('toServer', 'toClient');
    const startedMs = performance.now();
    await subscription.stop();
    await connection.stop();
    expect(performance.now() - startedMs).toBeLessThan(2_500);
  });
});
