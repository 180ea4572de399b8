import { nextEvent, servers, testTopology } from './testing/broker.js';
import { RabbitSuite } from './testing/suite.js';

const suite = new RabbitSuite(servers(process.env));

describe('A subscription hands over what the queue has', () => {
  it('when a message comes, then with all that is known of it', async () => {
    const consumer = await suite.consumer();
    consumer.publish('a');
    const delivery = await consumer.first();
    expect(delivery).toMatchObject({ messageId: 'a', queue: consumer.queue, routingKey: 'key', createdMs: 7 });
    expect(delivery).toMatchObject({ deliveryCount: 0, redelivered: false, type: undefined });
    expect(delivery.body.toString()).toBe('{}');
    expect(delivery.alive()).toBe(true);
  });

  it('when deliveries are acked out of order, then each of them is acked and no other', async () => {
    const consumer = await suite.consumer();
    const { subscription } = consumer;
    consumer.publish('first');
    subscription.ack([await consumer.first()]);
    consumer.publish('a', 'b', 'c', 'd');
    const [, a, b, c, d] = await consumer.received(5);
    if (!a || !b || !c || !d) throw new Error('no deliveries');
    subscription.ack([d, b]);
    subscription.ack([d]);
    subscription.ack([a]);
    await subscription.stop();
    await consumer.ready(1);
    expect((await suite.broker.take(consumer.queue)).properties.messageId).toBe('c');
    expect(c.alive()).toBe(false);
  });

  it('when one is dead-lettered, then the queue gives it to its dead-letter route', async () => {
    const dead = testTopology();
    await suite.broker.channel.assertQueue(dead.queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    const route = { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': dead.queue };
    const consumer = await suite.consumer({ queueArguments: route });
    consumer.publish('poison');
    consumer.subscription.deadLetter(await consumer.first());
    expect((await suite.broker.take(dead.queue)).properties.messageId).toBe('poison');
  });
});

describe('A consumer begins slowly and speeds up on proof', () => {
  it('when it begins, then one at a time, and the full prefetch after the first ack', async () => {
    const consumer = await suite.consumer({ prefetch: 5 });
    const { subscription, deliveries } = consumer;
    consumer.publish('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i');
    await consumer.received(1);
    await consumer.ready(8);
    expect(deliveries).toHaveLength(1);
    subscription.ack(deliveries.slice(0, 1));
    await consumer.received(6);
    await consumer.ready(3);
    expect(deliveries).toHaveLength(6);
    expect(deliveries.map(({ deliveryCount }) => deliveryCount)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('when deliveries were returned before, then one at a time until one that was not', async () => {
    const consumer = await suite.consumer({ prefetch: 5 });
    const { subscription, connection, deliveries } = consumer;
    consumer.publish('proof');
    subscription.ack([await consumer.first()]);
    consumer.publish('a', 'b', 'c', 'd', 'e');
    await consumer.received(6);
    connection.destroy('test');
    const returned = await consumer.received(7);
    expect(returned[6]).toMatchObject({ deliveryCount: 1, redelivered: true });
    for (let at = 6; at < 11; at += 1) {
      await consumer.received(at + 1);
      await consumer.ready(10 - at);
      expect(deliveries).toHaveLength(at + 1);
      subscription.ack(deliveries.slice(at, at + 1));
    }
    consumer.publish('f', 'g', 'h');
    await consumer.received(12);
    await consumer.ready(2);
    subscription.ack(deliveries.slice(11, 12));
    await consumer.received(14);
    expect(new Set(consumer.ids().slice(6))).toEqual(new Set(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']));
  });
});

describe('A paused consumer keeps what it has and takes no more', () => {
  it('when it is paused and resumed, then nothing is returned and nothing is missed', async () => {
    const consumer = await suite.consumer();
    const { subscription, deliveries } = consumer;
    consumer.publish('proof');
    subscription.ack([await consumer.first()]);
    consumer.publish('a', 'b');
    await consumer.received(3);
    await subscription.pause('the database is away');
    expect(subscription.isConsuming()).toBe(false);
    consumer.publish('c');
    await consumer.ready(1);
    expect(deliveries[1]?.alive()).toBe(true);
    await subscription.resume();
    await consumer.received(4);
    subscription.ack(deliveries.slice(1));
    expect(consumer.ids()).toEqual(['proof', 'a', 'b', 'c']);
    await subscription.stop();
    await consumer.ready(0);
  });

  it('when the connection is lost while it is paused, then it stays paused on the next one', async () => {
    const consumer = await suite.consumer();
    const { subscription, connection } = consumer;
    await subscription.pause('the database is away');
    consumer.publish('a');
    const back = nextEvent(suite.events, 'brokerConnected');
    connection.destroy('test');
    await back;
    await consumer.consumers(0);
    await subscription.resume();
    expect((await consumer.first()).messageId).toBe('a');
  });
});
