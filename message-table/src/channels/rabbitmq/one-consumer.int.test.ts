import { eventually, nextEvent, servers } from './testing/broker.js';
import { RabbitSuite, tookMs } from './testing/suite.js';

const from = servers(process.env);
const itWithManagement = from.managementUrl ? it : it.skip;
const suite = new RabbitSuite(from);

describe('There is one consumer per subscription, whatever happens to the broker', () => {
  it('AMQP-03: when the queue is deleted, then queue, binding and consumer are made again', async () => {
    const consumer = await suite.consumer({ autoAck: true });
    const lost = nextEvent(suite.events, 'consumerLost');
    const back = nextEvent(suite.events, 'consumerResumed');
    await suite.broker.channel.deleteQueue(consumer.queue);
    expect((await lost).reason).toContain('cancelled');
    expect(consumer.lostCount).toBe(1);
    await back;
    expect(consumer.subscription.isConsuming()).toBe(true);
    consumer.publish('after');
    expect((await consumer.first()).messageId).toBe('after');
    await consumer.consumers(1);
  });

  itWithManagement('AMQP-04: when the connection is closed five times, then one consumer is left', async () => {
    const consumer = await suite.consumer({ autoAck: true });
    const { connectionName, connection, subscription } = consumer;
    for (let round = 1; round <= 5; round += 1) {
      const back = nextEvent(suite.events, 'consumerResumed');
      if (round === 1) await suite.broker.forceClose(connectionName);
      else connection.destroy(`round ${round}`);
      await back;
      consumer.publish(`round-${round}`);
      await consumer.received(round);
    }
    await consumer.consumers(1);
    const names = (): Promise<string[]> => suite.broker.connectionsNamed(connectionName);
    await eventually(async () => (await names()).length === 1, 'one connection');
    await consumer.ready(0);
    expect(subscription.isConsuming()).toBe(true);
  });

  it('AMQP-05: when a delivery is acked after its channel is gone, then the ack goes nowhere', async () => {
    const consumer = await suite.consumer();
    const { subscription, connection, deliveries } = consumer;
    consumer.publish('a');
    const old = await consumer.first();
    const back = nextEvent(suite.events, 'consumerResumed');
    connection.destroy('test');
    await back;
    await consumer.received(2);
    expect(old.alive()).toBe(false);
    subscription.ack([old]);
    subscription.deadLetter(old);
    consumer.publish('b');
    expect(subscription.isConsuming()).toBe(true);
    await consumer.ready(1);
    subscription.ack(deliveries.slice(1));
    await consumer.received(3);
    expect(consumer.ids()).toEqual(['a', 'a', 'b']);
  });

  it('AMQP-08: when the broker closes one channel with a 406, then its neighbours do not notice', async () => {
    const consumer = await suite.consumer();
    const { connection, subscription } = consumer;
    consumer.publish('a');
    const delivery = await consumer.first();
    const link = connection.current();
    const spare = await link?.openChannel();
    const closed = new Promise<void>((resolve) => spare?.on('close', resolve));
    spare?.ack({ fields: { deliveryTag: 99 } } as never);
    await closed;
    expect(delivery.alive()).toBe(true);
    expect(subscription.isConsuming()).toBe(true);
    expect(connection.current()).toBe(link);
    await consumer.consumers(1);
  });

  it('AMQP-01: when the line goes silent, then the heartbeat finds out and the consumer comes back', async () => {
    const line = await suite.proxy();
    const url = suite.broker.url(line.listeningPort);
    const consumer = await suite.consumer({ url, heartbeatS: 1, autoAck: true });
    const lost = nextEvent(suite.events, 'consumerLost');
    // The broker goes on hearing us: it would notice the silence as well, and may be the first to close.
    line.swallow('toClient');
    expect((await lost).reason).toContain('Heartbeat');
    const back = nextEvent(suite.events, 'consumerResumed');
    line.heal();
    await back;
    consumer.publish('after');
    expect((await consumer.first()).messageId).toBe('after');
  });

  it('when it is stopped while the line is silent, then it ends within a second or two', async () => {
    const line = await suite.proxy();
    const { subscription, connection } = await suite.consumer({ url: suite.broker.url(line.listeningPort) });
    line.swallow('toServer', 'toClient');
    const stop = async (): Promise<void> => {
      await subscription.stop();
      await connection.stop();
    };
    expect(await tookMs(stop)).toBeLessThan(2_500);
  });
});
