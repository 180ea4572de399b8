import type { Outcome } from '../outcome.js';
import { eventually, nextEvent, testMessage, testTopology, servers } from './testing/broker.js';
import { kinds, RabbitSuite, tookMs } from './testing/suite.js';

const from = servers(process.env);
const suite = new RabbitSuite(from);

describe('A broker that goes silent costs one attempt time-out', () => {
  it('AMQP-01: when the line swallows everything, then the attempt ends unknown in time and the line is rebuilt', async () => {
    const topology = testTopology();
    const line = await suite.proxy();
    const options = { urls: suite.broker.url(line.listeningPort), topology, attemptTimeoutMs: 1_000, heartbeatS: 60 };
    const rabbit = await suite.upChannel(options);
    line.swallow('toServer', 'toClient');
    const down = nextEvent(suite.events, 'channelDown');
    const message = testMessage({ exchange: topology.exchange });
    let outcome: Outcome | undefined;
    expect(await tookMs(async () => (outcome = await rabbit.send(message)))).toBeLessThan(1_050);
    expect(outcome).toEqual({ kind: 'unknown', reason: 'time-out', suspect: false });
    expect((await down).reason).toContain('no answer to any publish');
    expect(await rabbit.send(message)).toMatchObject({ kind: 'unknown' });
    const up = nextEvent(suite.events, 'channelUp');
    line.heal();
    await up;
    expect(await rabbit.send({ ...message, version: 2 })).toEqual({ kind: 'confirmed' });
    await eventually(() => line.open === 1, 'the dead connection to be gone');
  });

  it('AMQP-01: when only the answers are lost, then the same, and the message may be there twice, never lost', async () => {
    const topology = testTopology();
    const line = await suite.proxy();
    const rabbit = await suite.upChannel({
      urls: suite.broker.url(line.listeningPort),
      topology,
      attemptTimeoutMs: 500,
    });
    line.swallow('toClient');
    const message = testMessage({ exchange: topology.exchange });
    expect(await rabbit.send(message)).toMatchObject({ kind: 'unknown', suspect: false });
    const up = nextEvent(suite.events, 'channelUp');
    line.heal();
    await up;
    expect(await rabbit.send({ ...message, version: 2 })).toEqual({ kind: 'confirmed' });
    for (const version of [1, 2]) {
      const { properties } = await suite.broker.take(topology.queue);
      expect(properties).toMatchObject({
        messageId: message.messageId,
        headers: { 'x-attempt': `${message.id}:${version}` },
      });
    }
  });

  it('AMQP-18: when the broker accepts and says nothing, then each connect ends in time and stop does not wait', async () => {
    const line = await suite.proxy();
    line.blackHole();
    const rabbit = suite.channel({ urls: suite.broker.url(line.listeningPort), deadlineMs: 300 });
    rabbit.start();
    await nextEvent(suite.events, 'brokerLost', ({ reason }) => reason.includes('no answer within 300 ms'));
    await eventually(() => line.accepted >= 3, 'the next attempts');
    expect(rabbit.isUp()).toBe(false);
    expect(await rabbit.send(testMessage())).toMatchObject({ kind: 'unknown', suspect: false });
    expect(line.open).toBeLessThanOrEqual(1);
    line.heal();
    await nextEvent(suite.events, 'channelUp');
  });

  it('AMQP-18: when stopped during a connect that hangs, then it ends at once', async () => {
    const line = await suite.proxy();
    line.blackHole();
    const rabbit = suite.channel({ urls: suite.broker.url(line.listeningPort), deadlineMs: 60_000 });
    rabbit.start();
    await eventually(() => line.accepted === 1, 'the connect');
    expect(await tookMs(() => rabbit.stop())).toBeLessThan(500);
    await eventually(() => line.open === 0, 'the socket to be gone');
  });

  it('when stopped while the line swallows everything, then it ends within a second or so, nothing left unsettled', async () => {
    const line = await suite.proxy();
    const rabbit = await suite.upChannel({
      urls: suite.broker.url(line.listeningPort),
      deadlineMs: 60_000,
      attemptTimeoutMs: 60_000,
    });
    line.swallow('toServer', 'toClient');
    const sent = rabbit.send(testMessage());
    expect(await tookMs(() => rabbit.stop())).toBeLessThan(1_500);
    expect(await sent).toMatchObject({ kind: 'unknown', suspect: false });
  });
});

describe('Back-pressure delays and bounds, and never doubles', () => {
  it('AMQP-09: when the broker stops reading for a while, then sends wait, all are confirmed and each is stored once', async () => {
    const topology = testTopology();
    const line = await suite.proxy();
    const rabbit = await suite.upChannel({
      urls: suite.broker.url(line.listeningPort),
      topology,
      attemptTimeoutMs: 20_000,
    });
    line.hold('toServer');
    const content = 'x'.repeat(20_000);
    const sent = Array.from({ length: 2_000 }, () =>
      rabbit.send(testMessage({ exchange: topology.exchange, content })),
    );
    expect(rabbit.inFlight()).toBe(2_000);
    line.heal();
    expect(new Set(kinds(await Promise.all(sent)))).toEqual(new Set(['confirmed']));
    expect(await suite.broker.messagesIn(topology.queue)).toBe(2_000);
  });

  it('AMQP-09: when it never reads again, then those that wait end in time like those in flight', async () => {
    const topology = testTopology();
    const line = await suite.proxy();
    const rabbit = await suite.upChannel({
      urls: suite.broker.url(line.listeningPort),
      topology,
      attemptTimeoutMs: 500,
    });
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
