import { eventually, nextEvent, randomName, TestBroker, testMessage, testTopology, servers } from './testing/broker.js';
import { RabbitSuite } from './testing/suite.js';

const from = servers(process.env);
const itWithManagement = from.managementUrl ? it : it.skip;
const suite = new RabbitSuite(from);

describe('A channel comes back by itself from every loss', () => {
  it('AMQP-08: when the socket is reset with messages in flight, then they are unknown and nothing throws', async () => {
    const topology = testTopology();
    const line = await suite.proxy();
    const rabbit = await suite.upChannel({ urls: suite.broker.url(line.listeningPort), topology });
    line.hold('toClient');
    const sent = Array.from({ length: 10 }, () => rabbit.send(testMessage({ exchange: topology.exchange })));
    const up = nextEvent(suite.events, 'channelUp');
    line.reset();
    for (const outcome of await Promise.all(sent)) expect(outcome).toMatchObject({ kind: 'unknown', suspect: false });
    line.heal();
    await up;
    expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
  });

  it('AMQP-08: when the event loop stands still for longer than an attempt, then its answers still count', async () => {
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology, attemptTimeoutMs: 500, heartbeatS: 1 });
    const sent = rabbit.send(testMessage({ exchange: topology.exchange }));
    await new Promise((resolve) => setImmediate(resolve));
    const endMs = performance.now() + 1_000;
    while (performance.now() < endMs);
    expect(await sent).toEqual({ kind: 'confirmed' });
  });

  itWithManagement('AMQP-10: when an operator closes the connection, then it is opened again, once', async () => {
    const connectionName = `closed-${randomName()}`;
    const rabbit = await suite.upChannel({ connectionName });
    const down = nextEvent(suite.events, 'brokerLost');
    const up = nextEvent(suite.events, 'channelUp');
    await suite.broker.forceClose(connectionName);
    expect(await down).toMatchObject({ code: 320 });
    await up;
    expect(rabbit.isUp()).toBe(true);
    await eventually(
      async () => (await suite.broker.connectionsNamed(connectionName)).length === 1,
      'exactly one connection',
    );
  });

  it('when the first of two brokers is not there, then the second is used', async () => {
    const nobody = await suite.proxy();
    const port = nobody.listeningPort;
    await nobody.stop();
    const rabbit = await suite.upChannel({ urls: `${suite.broker.url(port)},${suite.broker.url()}` });
    expect(rabbit.isUp()).toBe(true);
  });

  itWithManagement('when the vhost has reserved characters, then it is the one that is opened', async () => {
    const odd = await TestBroker.open(from, 'a/b %2F ü@:,');
    try {
      const topology = testTopology();
      const rabbit = await suite.upChannel({ urls: odd.url(), topology });
      expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
      expect(await odd.messagesIn(topology.queue)).toBe(1);
      await rabbit.stop();
    } finally {
      await odd.close();
    }
  });
});
