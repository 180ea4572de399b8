import { Socket } from 'node:net';

import type { Outcome } from '../outcome.js';
import { eventually, nextEvent, testMessage, testTopology, servers } from './testing/broker.js';
import { kinds, RabbitSuite } from './testing/suite.js';

const from = servers(process.env);
const suite = new RabbitSuite(from);

describe('A message that is sent is stored by the broker before it counts as confirmed', () => {
  it('when it is routable, then it is confirmed and arrives as it was accepted', async () => {
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology });
    const message = testMessage({
      exchange: topology.exchange,
      content: '{"名":"值"}',
      headers: { traceparent: 't', 'x-attempt': 'mine' },
    });
    expect(await rabbit.send(message)).toEqual({ kind: 'confirmed' });
    const { content, properties, fields } = await suite.broker.take(topology.queue);
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

  it('when a hundred are sent at once, then they leave in a few writes, not in one each', async () => {
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology });
    const messages = Array.from({ length: 100 }, () => testMessage({ exchange: topology.exchange }));
    const writes = [jest.spyOn(Socket.prototype, '_write'), jest.spyOn(Socket.prototype, '_writev')];
    const outcomes = await Promise.all(messages.map((message) => rabbit.send(message)));
    const count = writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const write of writes) write.mockRestore();
    expect(new Set(kinds(outcomes))).toEqual(new Set(['confirmed']));
    expect(count).toBeLessThan(20);
  });

  it('AMQP-02: when one of three has no queue bound, then it alone is refused and reported', async () => {
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology });
    const { exchange } = topology;
    const returned = nextEvent(suite.events, 'messageReturned');
    const [a, b, c] = ['key', 'unbound', 'key'].map((routingKey) => testMessage({ exchange, routingKey }));
    const outcomes = await Promise.all([a, b, c].map((message) => rabbit.send(message ?? testMessage())));
    expect(kinds(outcomes)).toEqual(['confirmed', 'refused', 'confirmed']);
    expect(outcomes[1]).toMatchObject({ permanent: false, reason: expect.stringContaining('NO_ROUTE') as string });
    expect(await returned).toMatchObject({ messageId: b?.messageId, exchange, routingKey: 'unbound' });
    await suite.broker.channel.bindQueue(topology.queue, exchange, 'unbound');
    expect(await rabbit.send({ ...(b ?? testMessage()), version: 2 })).toEqual({ kind: 'confirmed' });
  });

  it('when the queue is full and rejects, then it is no fault of the message', async () => {
    const topology = testTopology({ 'x-max-length': 1, 'x-overflow': 'reject-publish' });
    const rabbit = await suite.upChannel({ topology });
    const send = (): Promise<Outcome> => rabbit.send(testMessage({ exchange: topology.exchange }));
    const full = await eventually(async () => {
      const outcome = await send();
      return outcome.kind !== 'confirmed' && outcome;
    }, 'a nack');
    expect(full).toEqual({ kind: 'unknown', reason: 'nack', suspect: false });
  });

  it('when its headers cannot be encoded, then it is refused for good and its neighbours are confirmed', async () => {
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology });
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
    const rabbit = await suite.upChannel({ topology });
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
          reason: "404 NOT_FOUND - no exchange 'nope' in vhost '" + suite.broker.address.vhost + "'",
        },
      },
    ]);
    expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
  });

  it('when sends follow in the same moment, then they wait for the new channel and are confirmed', async () => {
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology });
    expect(await rabbit.send(testMessage({ exchange: 'nope' }))).toMatchObject({ suspect: true });
    const next = await Promise.all(
      Array.from({ length: 50 }, () => rabbit.send(testMessage({ exchange: topology.exchange }))),
    );
    expect(new Set(kinds(next))).toEqual(new Set(['confirmed']));
  });

  it('when a message sent alone closes its channel, then sends in company go on undisturbed', async () => {
    const topology = testTopology();
    const rabbit = await suite.upChannel({ topology });
    const company = Array.from({ length: 20 }, () => rabbit.send(testMessage({ exchange: topology.exchange })));
    const alone = rabbit.sendAlone(testMessage({ exchange: topology.exchange, headers: { CC: 'not a list' } }));
    expect(await alone).toMatchObject({ kind: 'refused', reason: expect.stringContaining('406') as string });
    expect(new Set(kinds(await Promise.all(company)))).toEqual(new Set(['confirmed']));
  });
});

describe('A topology that the broker does not have is named, and mended without a restart', () => {
  it('AMQP-16: when the queue exists with another type, then the channel is down for that reason until it is gone', async () => {
    const topology = testTopology();
    await suite.broker.channel.assertQueue(topology.queue, { durable: true });
    const rabbit = suite.channel({ topology });
    const down = nextEvent(suite.events, 'channelDown');
    rabbit.start();
    const { reason } = await down;
    expect(reason).toContain(`queue ${topology.queue} exists with another x-queue-type`);
    expect(reason).toContain('quorum');
    expect(rabbit.isUp()).toBe(false);
    expect(rabbit.downReason()).toBe(reason);
    const up = nextEvent(suite.events, 'channelUp');
    await suite.broker.channel.deleteQueue(topology.queue);
    await up;
    expect(await rabbit.send(testMessage({ exchange: topology.exchange }))).toEqual({ kind: 'confirmed' });
  });
});
