import { TcpProxy } from '../../testkit/tcp-proxy.js';
import { createEvents, type MessageTableEvents } from '../../observe/events.js';
import type { Outcome } from '../outcome.js';
import { createRabbitChannel, type RabbitChannel, type RabbitChannelOptions } from './publisher.js';
import { eventually, nextEvent, randomName, servers, TestBroker, testMessage, testTopology } from './testing/broker.js';

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

function channel(options: Partial<RabbitChannelOptions> = {}): RabbitChannel {
  const created = createRabbitChannel({
    urls: broker.url(),
    topology: testTopology(),
    events,
    connectionName: `publisher-${randomName()}`,
    attemptTimeoutMs: 2_000,
    deadlineMs: 2_000,
    heartbeatS: 10,
    ...options,
  });
  stopAfter.push(() => created.stop());
  return created;
}

async function upChannel(options: Partial<RabbitChannelOptions> = {}): Promise<RabbitChannel> {
  const created = channel(options);
  const up = nextEvent(events, 'channelUp');
  created.start();
  await up;
  return created;
}

async function proxy(): Promise<TcpProxy> {
  const { hostname: host, port } = broker.address;
  const started = await TcpProxy.start({ host, port });
  // Stopped first: a channel whose proxy is gone must stop all the same.
  stopAfter.push(() => started.stop());
  return started;
}

const kinds = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ kind }) => kind);

async function tookMs(action: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await action();
  return performance.now() - startedMs;
}

describe('A message that is sent is stored by the broker before it counts as confirmed', () => {
  it('when it is routable, then it is confirmed and arrives as it was accepted', async () => {
    const topology = testTopology();
    const rabbit = await upChannel({ topology });
    const message = testMessage({
      exchange: topology.exchange,
      content: '{"名":"值"}',
      headers: { traceparent: 't', 'x-attempt': 'mine' },
    });
    expect(await rabbit.send(message)).toEqual({ kind: 'confirmed' });
    const { content, properties, fields } = await broker.take(topology.queue);
    expect(content.toString()).toBe('{"名":"值"}');
    expect(fields).toMatchObject({ exchange: topology.exchange, routingKey: 'key' });
    expect(properties).toMatchObject({
      messageId: message.messageId,
      type: 'test.task',
      contentType: 'application/json',
      deliveryMode: 2,
      timestamp: 1_790_000_000,
      headers: { traceparent: 't', 'x-attempt': `${message.id}:1`, 'x-created': 1_790_000_000_123 },
    });
  });

  it('AMQP-02: when one of three has no queue bound, then it alone is refused and reported', async () => {
    const topology = testTopology();
    const rabbit = await upChannel({ topology });
    const { exchange } = topology;
    const returned = nextEvent(events, 'messageReturned');
    const [a, b, c] = ['key', 'unbound', 'key'].map((routingKey) => testMessage({ exchange, routingKey }));
    const outcomes = await Promise.all([a, b, c].map((message) => rabbit.send(message ?? testMessage())));
    expect(kinds(outcomes)).toEqual(['confirmed', 'refused', 'confirmed']);
    expect(outcomes[1]).toMatchObject({ permanent: false, reason: expect.stringContaining('NO_ROUTE') as string });
    expect(await returned).toMatchObject({ messageId: b?.messageId, exchange, routingKey: 'unbound' });
    await broker.channel.bindQueue(topology.queue, exchange, 'unbound');
    expect(await rabbit.send({ ...(b ?? testMessage()), version: 2 })).toEqual({ kind: 'confirmed' });
  });

  it('when the queue is full and rejects, then the message is refused', async () => {
    const topology = testTopology({ 'x-max-length': 1, 'x-overflow': 'reject-publish' });
    const rabbit = await upChannel({ topology });
    const send = (): Promise<Outcome> => rabbit.send(testMessage({ exchange: topology.exchange }));
    const full = await eventually(async () => {
      const outcome = await send();
      return outcome.kind === 'refused' && outcome;
    }, 'a nack');
    expect(full).toEqual({ kind: 'refused', reason: 'nack', permanent: false });
  });

  it('when its headers cannot be encoded, then it is refused for good and its neighbours are confirmed', async () => {
    const topology = testTopology();
    const rabbit = await upChannel({ topology });
    const { exchange } = topology;
    const large = testMessage({ exchange, headers: { large: 'x'.repeat(70_000) } });
    const longId = testMessage({ exchange, messageId: 'x'.repeat(256) });
    const sent = [testMessage({ exchange }), large, longId, testMessage({ exchange })].map((one) => rabbit.send(one));
    const outcomes = await Promise.all(sent);
    expect(kinds(outcomes)).toEqual(['confirmed', 'refused', 'refused', 'confirmed']);
    expect(outcomes[1]).toMatchObject({ permanent: true });
    expect(outcomes[2]).toMatchObject({ permanent: true });
  });
});

describe('A message that breaks the channel costs its neighbours nothing', () => {
  it('RLY-06: when #7 of 20 names a missing exchange, then it alone is refused, sent alone', async () => {
    const topology = testTopology();
    const rabbit = await upChannel({ topology });
    const batch = Array.from({ length: 20 }, (_, at) =>
      testMessage({ exchange: at === 6 ? 'nope' : topology.exchange }),
    );
    const first = await Promise.all(batch.map((message) => rabbit.send(message)));
    expect(first.filter(({ kind }) => kind === 'refused')).toEqual([]);
    expect(first[6]).toEqual({ kind: 'unknown', suspect: true, reason: expect.stringContaining('404') as string });
    expect(rabbit.isUp()).toBe(true);
    const open = first.flatMap((outcome, at) => (outcome.kind === 'confirmed' ? [] : [at]));
    const alone: Outcome[] = [];
    for (const at of open) alone.push(await rabbit.sendAlone({ ...(batch[at] ?? testMessage()), version: 2 }));
    const refusals = alone.flatMap((outcome, at) => (outcome.kind === 'confirmed' ? [] : [{ at: open[at], outcome }]));
    expect(refusals).toEqual([
      {
        at: 6,
        outcome: {
          kind: 'refused',
          permanent: false,
          reason: "404 NOT_FOUND - no exchange 'nope' in vhost '" + broker.address.vhost + "'",
        },
      },
    ]);
    expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
  });

  it('when sends follow in the same moment, then they wait for the new channel and are confirmed', async () => {
    const topology = testTopology();
    const rabbit = await upChannel({ topology });
    expect(await rabbit.send(testMessage({ exchange: 'nope' }))).toMatchObject({ suspect: true });
    const next = await Promise.all(
      Array.from({ length: 50 }, () => rabbit.send(testMessage({ exchange: topology.exchange }))),
    );
    expect(new Set(kinds(next))).toEqual(new Set(['confirmed']));
  });

  it('when a message sent alone closes its channel, then sends in company go on undisturbed', async () => {
    const topology = testTopology();
    const rabbit = await upChannel({ topology });
    const company = Array.from({ length: 20 }, () => rabbit.send(testMessage({ exchange: topology.exchange })));
    const alone = rabbit.sendAlone(testMessage({ exchange: topology.exchange, headers: { CC: 'not a list' } }));
    expect(await alone).toMatchObject({ kind: 'refused', reason: expect.stringContaining('406') as string });
    expect(new Set(kinds(await Promise.all(company)))).toEqual(new Set(['confirmed']));
  });

  itWithCtl('when it is larger than the broker takes, then alone it is refused for good', async () => {
    const before = await broker.ctl('eval', 'application:get_env(rabbit, max_message_size, 134217728).');
    await broker.ctl('eval', 'application:set_env(rabbit, max_message_size, 1000).');
    stopAfter.push(() => broker.ctl('eval', `application:set_env(rabbit, max_message_size, ${before.trim()}).`).then());
    const topology = testTopology();
    const rabbit = await upChannel({ topology });
    const large = testMessage({ exchange: topology.exchange, content: 'x'.repeat(2_000) });
    expect(await rabbit.send(large)).toMatchObject({ kind: 'unknown', suspect: true });
    expect(await rabbit.sendAlone({ ...large, version: 2 })).toMatchObject({ kind: 'refused', permanent: true });
  });
});

describe('A broker that goes silent costs one attempt time-out', () => {
  it('AMQP-01: when the line swallows everything, then the attempt ends unknown in time and the line is rebuilt', async () => {
    const topology = testTopology();
    const line = await proxy();
    const options = { urls: broker.url(line.listeningPort), topology, attemptTimeoutMs: 1_000, heartbeatS: 60 };
    const rabbit = await upChannel(options);
    line.swallow('toServer', 'toClient');
    const down = nextEvent(events, 'channelDown');
    const message = testMessage({ exchange: topology.exchange });
    let outcome: Outcome | undefined;
    expect(await tookMs(async () => (outcome = await rabbit.send(message)))).toBeLessThan(1_050);
    expect(outcome).toEqual({ kind: 'unknown', reason: 'time-out', suspect: false });
    expect((await down).reason).toContain('no answer to any publish');
    expect(await rabbit.send(message)).toMatchObject({ kind: 'unknown' });
    const up = nextEvent(events, 'channelUp');
    line.heal();
    await up;
    expect(await rabbit.send({ ...message, version: 2 })).toEqual({ kind: 'confirmed' });
    await eventually(() => line.open === 1, 'the dead connection to be gone');
  });

  it('AMQP-01: when only the answers are lost, then the same, and the message may be there twice, never lost', async () => {
    const topology = testTopology();
    const line = await proxy();
    const rabbit = await upChannel({ urls: broker.url(line.listeningPort), topology, attemptTimeoutMs: 500 });
    line.swallow('toClient');
    const message = testMessage({ exchange: topology.exchange });
    expect(await rabbit.send(message)).toMatchObject({ kind: 'unknown', suspect: false });
    const up = nextEvent(events, 'channelUp');
    line.heal();
    await up;
    expect(await rabbit.send({ ...message, version: 2 })).toEqual({ kind: 'confirmed' });
    for (const version of [1, 2]) {
      const { properties } = await broker.take(topology.queue);
      expect(properties).toMatchObject({
        messageId: message.messageId,
        headers: { 'x-attempt': `${message.id}:${version}` },
      });
    }
  });

  it('AMQP-18: when the broker accepts and says nothing, then each connect ends in time and stop does not wait', async () => {
    const line = await proxy();
    line.blackHole();
    const rabbit = channel({ urls: broker.url(line.listeningPort), deadlineMs: 300 });
    rabbit.start();
    await nextEvent(events, 'brokerLost', ({ reason }) => reason.includes('no answer within 300 ms'));
    await eventually(() => line.accepted >= 3, 'the next attempts');
    expect(rabbit.isUp()).toBe(false);
    expect(await rabbit.send(testMessage())).toMatchObject({ kind: 'unknown', suspect: false });
    expect(line.open).toBeLessThanOrEqual(1);
    line.heal();
    await nextEvent(events, 'channelUp');
  });

  it('AMQP-18: when stopped during a connect that hangs, then it ends at once', async () => {
    const line = await proxy();
    line.blackHole();
    const rabbit = channel({ urls: broker.url(line.listeningPort), deadlineMs: 60_000 });
    rabbit.start();
    await eventually(() => line.accepted === 1, 'the connect');
    expect(await tookMs(() => rabbit.stop())).toBeLessThan(500);
    await eventually(() => line.open === 0, 'the socket to be gone');
  });

  it('when stopped while the line swallows everything, then it ends within a second or so, nothing left unsettled', async () => {
    const line = await proxy();
    const rabbit = await upChannel({
      urls: broker.url(line.listeningPort),
      deadlineMs: 60_000,
      attemptTimeoutMs: 60_000,
    });
    line.swallow('toServer', 'toClient');
    const sent = rabbit.send(testMessage());
    expect(await tookMs(() => rabbit.stop())).toBeLessThan(1_500);
    expect(await sent).toMatchObject({ kind: 'unknown', suspect: false });
  });
});

describe('A channel comes back by itself from every loss', () => {
  it('AMQP-08: when the socket is reset with messages in flight, then they are unknown and nothing throws', async () => {
    const topology = testTopology();
    const line = await proxy();
    const rabbit = await upChannel({ urls: broker.url(line.listeningPort), topology });
    line.hold('toClient');
    const sent = Array.from({ length: 10 }, () => rabbit.send(testMessage({ exchange: topology.exchange })));
    const up = nextEvent(events, 'channelUp');
    line.reset();
    for (const outcome of await Promise.all(sent)) expect(outcome).toMatchObject({ kind: 'unknown', suspect: false });
    line.heal();
    await up;
    expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
  });

  it('AMQP-08: when the event loop stands still for longer than an attempt, then its answers still count', async () => {
    const topology = testTopology();
    const rabbit = await upChannel({ topology, attemptTimeoutMs: 500, heartbeatS: 1 });
    const sent = rabbit.send(testMessage({ exchange: topology.exchange }));
    await new Promise((resolve) => setImmediate(resolve));
    const endMs = performance.now() + 1_000;
    while (performance.now() < endMs);
    expect(await sent).toEqual({ kind: 'confirmed' });
  });

  itWithManagement('AMQP-10: when an operator closes the connection, then it is opened again, once', async () => {
    const connectionName = `closed-${randomName()}`;
    const rabbit = await upChannel({ connectionName });
    const down = nextEvent(events, 'brokerLost');
    const up = nextEvent(events, 'channelUp');
    await broker.forceClose(connectionName);
    expect(await down).toMatchObject({ code: 320 });
    await up;
    expect(rabbit.isUp()).toBe(true);
    await eventually(
      async () => (await broker.connectionsNamed(connectionName)).length === 1,
      'exactly one connection',
    );
  });

  itWithCtl(
    'AMQP-10: when the broker stops in good order and starts again, then sending goes on',
    async () => {
      const topology = testTopology();
      const rabbit = await upChannel({ topology });
      const down = nextEvent(events, 'channelDown');
      await broker.ctl('stop_app');
      expect((await down).reason).toContain('320');
      const up = nextEvent(events, 'channelUp');
      await broker.ctl('start_app');
      await up;
      expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
      await broker.reconnect();
    },
    60_000,
  );

  it('when the first of two brokers is not there, then the second is used', async () => {
    const nobody = await proxy();
    const port = nobody.listeningPort;
    await nobody.stop();
    const rabbit = await upChannel({ urls: `${broker.url(port)},${broker.url()}` });
    expect(rabbit.isUp()).toBe(true);
  });

  itWithManagement('when the vhost has reserved characters, then it is the one that is opened', async () => {
    const odd = await TestBroker.open(from, 'a/b %2F ü@:,');
    try {
      const topology = testTopology();
      const rabbit = await upChannel({ urls: odd.url(), topology });
      expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
      expect(await odd.messagesIn(topology.queue)).toBe(1);
      await rabbit.stop();
    } finally {
      await odd.close();
    }
  });
});

describe('Back-pressure delays and bounds, and never doubles', () => {
  it('AMQP-09: when the broker stops reading for a while, then sends wait, all are confirmed and each is stored once', async () => {
    const topology = testTopology();
    const line = await proxy();
    const rabbit = await upChannel({ urls: broker.url(line.listeningPort), topology, attemptTimeoutMs: 20_000 });
    line.hold('toServer');
    const content = 'x'.repeat(20_000);
    const sent = Array.from({ length: 2_000 }, () =>
      rabbit.send(testMessage({ exchange: topology.exchange, content })),
    );
    expect(rabbit.inFlight()).toBe(2_000);
    line.heal();
    expect(new Set(kinds(await Promise.all(sent)))).toEqual(new Set(['confirmed']));
    expect(await broker.messagesIn(topology.queue)).toBe(2_000);
  });

  it('AMQP-09: when it never reads again, then those that wait end in time like those in flight', async () => {
    const topology = testTopology();
    const line = await proxy();
    const rabbit = await upChannel({ urls: broker.url(line.listeningPort), topology, attemptTimeoutMs: 500 });
    line.hold('toServer');
    const content = 'x'.repeat(20_000);
    const took = await tookMs(async () => {
      const sent = Array.from({ length: 2_000 }, () =>
        rabbit.send(testMessage({ exchange: topology.exchange, content })),
      );
      expect(new Set(kinds(await Promise.all(sent)))).toEqual(new Set(['unknown']));
    });
    expect(took).toBeLessThan(1_000);
    expect(rabbit.inFlight()).toBe(0);
  });
});

describe('A broker in need takes no messages, and is not asked to', () => {
  itWithCtl(
    'AMQP-06: when an alarm blocks publishing, then the channel is down until it is over, and stop does not hang',
    async () => {
      const topology = testTopology();
      const rabbit = await upChannel({ topology, attemptTimeoutMs: 1_000 });
      const second = channel({ topology, attemptTimeoutMs: 1_000 });
      await broker.ctl('set_vm_memory_high_watermark', '0');
      stopAfter.push(() => broker.ctl('set_vm_memory_high_watermark', '0.4').then());
      const blocked = nextEvent(events, 'channelBlocked', (facts) => facts.blocked);
      const inFlight = rabbit.send(testMessage({ exchange: topology.exchange }));
      await blocked;
      expect(rabbit.isUp()).toBe(false);
      expect(await rabbit.send(testMessage())).toMatchObject({ kind: 'unknown' });
      expect(await inFlight).toMatchObject({ kind: 'unknown', suspect: false });
      // Connecting and declaring work during an alarm: only the probe tells.
      second.start();
      await nextEvent(events, 'channelBlocked', (facts) => facts.blocked);
      expect(second.isUp()).toBe(false);
      expect(await tookMs(() => second.stop())).toBeLessThan(1_500);
      const up = nextEvent(events, 'channelUp');
      await broker.ctl('set_vm_memory_high_watermark', '0.4');
      await up;
      expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
    },
  );
});

describe('A topology that the broker does not have is named, and mended without a restart', () => {
  it('AMQP-16: when the queue exists with another type, then the channel is down for that reason until it is gone', async () => {
    const topology = testTopology();
    await broker.channel.assertQueue(topology.queue, { durable: true });
    const rabbit = channel({ topology });
    const down = nextEvent(events, 'channelDown');
    rabbit.start();
    const { reason } = await down;
    expect(reason).toContain(`queue ${topology.queue} exists with another x-queue-type`);
    expect(reason).toContain('quorum');
    expect(rabbit.isUp()).toBe(false);
    expect(rabbit.downReason()).toBe(reason);
    const up = nextEvent(events, 'channelUp');
    await broker.channel.deleteQueue(topology.queue);
    await up;
    expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
  });
});
