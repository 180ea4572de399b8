import { nextEvent, servers, testMessage, testTopology } from './testing/broker.js';
import { RabbitSuite, tookMs } from './testing/suite.js';

/** These stop, starve and re-configure the broker itself, through `RABBITMQ_CTL`: nothing else may use it meanwhile. */
const from = servers(process.env);
const itWithCtl = from.ctl ? it : it.skip;
const suite = new RabbitSuite(from);

async function setting(name: string, value: number, normally: number): Promise<void> {
  // Read from the application's environment, or (RabbitMQ 4) from a copy made at the start.
  const set = (to: number): Promise<string> =>
    suite.broker.ctl('eval', `application:set_env(rabbit, ${name}, ${to}), persistent_term:put(${name}, ${to}).`);
  suite.after(() => set(normally));
  await set(value);
}

async function restart(): Promise<void> {
  await suite.broker.ctl('stop_app');
  await suite.broker.ctl('start_app');
}

describe('A broker that stops in good order is waited for', () => {
  itWithCtl('AMQP-10: when it starts again, then sending goes on', async () => {
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology });
    const down = nextEvent(suite.events, 'channelDown');
    const restarted = restart();
    expect((await down).reason).toContain('320');
    await Promise.all([restarted, nextEvent(suite.events, 'channelUp')]);
    expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
    await suite.broker.reconnect();
  });

  itWithCtl('AMQP-04: when it starts again, then one consumer is left, and it consumes', async () => {
    const consumer = await suite.consumer({ autoAck: true });
    await Promise.all([restart(), nextEvent(suite.events, 'consumerResumed')]);
    await suite.broker.reconnect();
    consumer.publish('after');
    expect((await consumer.first()).messageId).toBe('after');
    await consumer.consumers(1);
  });
});

describe('A broker in need takes no messages, and is not asked to', () => {
  const startAlarm = async (): Promise<void> => {
    suite.after(endAlarm);
    await suite.broker.ctl('set_vm_memory_high_watermark', '0');
  };
  const endAlarm = (): Promise<string> => suite.broker.ctl('set_vm_memory_high_watermark', '0.4');

  itWithCtl('AMQP-06: when an alarm blocks publishing, then the channel is down until it is over', async () => {
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology, attemptTimeoutMs: 1_000 });
    await startAlarm();
    const blocked = nextEvent(suite.events, 'channelBlocked');
    const inFlight = rabbit.send(testMessage({ exchange: topology.exchange }));
    expect((await blocked).blocked).toBe(true);
    expect(rabbit.isUp()).toBe(false);
    expect(await rabbit.send(testMessage())).toMatchObject({ kind: 'unknown' });
    expect(await inFlight).toMatchObject({ kind: 'unknown', suspect: false });
    const up = nextEvent(suite.events, 'channelUp');
    await endAlarm();
    await up;
    expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
  });

  itWithCtl('when the line is lost during an alarm, then it is not called blocked any more', async () => {
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology, attemptTimeoutMs: 1_000 });
    await startAlarm();
    const blocked = nextEvent(suite.events, 'channelBlocked');
    void rabbit.send(testMessage({ exchange: topology.exchange }));
    await blocked;
    const over = nextEvent(suite.events, 'channelBlocked');
    await rabbit.stop();
    expect((await over).blocked).toBe(false);
  });

  itWithCtl('AMQP-06: when it connects during an alarm, then it is not up, and its stop does not hang', async () => {
    const rabbit = suite.channel({ attemptTimeoutMs: 1_000 });
    await startAlarm();
    const connected = nextEvent(suite.events, 'brokerConnected');
    const blocked = nextEvent(suite.events, 'channelBlocked');
    rabbit.start();
    await Promise.all([connected, blocked]);
    expect(rabbit.downReason()).toContain('blocked');
    expect(await tookMs(() => rabbit.stop())).toBeLessThan(1_500);
  });
});

describe('The limits of the broker are known by what it says', () => {
  itWithCtl('when a message is larger than it takes, then alone it is refused for good', async () => {
    await setting('max_message_size', 1_000, 134_217_728);
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology });
    const large = testMessage({ exchange: topology.exchange, content: 'x'.repeat(2_000) });
    expect(await rabbit.send(large)).toMatchObject({ kind: 'unknown', suspect: true });
    expect(await rabbit.sendAlone({ ...large, version: 2 })).toMatchObject({ kind: 'refused', permanent: true });
  });

  itWithCtl('AMQP-11: when an ack comes too late, then a new channel consumes and the ack is dropped', async () => {
    await setting('consumer_timeout', 500, 1_800_000);
    await setting('channel_tick_interval', 300, 60_000);
    const consumer = await suite.consumer();
    const { connection, subscription, deliveries } = consumer;
    const link = connection.current();
    const lost = nextEvent(suite.events, 'consumerLost');
    consumer.publish('slow');
    const slow = await consumer.first();
    // RabbitMQ 3 closes the channel, 4.3 cancels the consumer.
    expect((await lost).reason).toMatch(/406|cancelled the consumer/);
    await consumer.received(2);
    subscription.ack([slow]);
    subscription.ack(deliveries.slice(1));
    consumer.publish('next');
    await consumer.received(3);
    subscription.ack(deliveries.slice(2));
    await consumer.ready(0);
    expect(connection.current()).toBe(link);
    expect(consumer.ids()).toEqual(['slow', 'slow', 'next']);
  });
});
