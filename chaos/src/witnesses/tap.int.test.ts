import { randomBytes } from 'node:crypto';

import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';

import { Tap } from './tap.js';

const url = process.env['AMQP_URL'] ?? '';
const name = randomBytes(4).toString('hex');
const route = (what: string) => ({
  exchange: `x-${name}-${what}`,
  routingKeys: ['key'],
  queue: `chaos.tap.${name}.${what}`,
});
const routes = { deductions: route('deduct'), decisions: route('decided') };

let model: ChannelModel;
let publisher: ConfirmChannel;
let tap: Tap;

beforeEach(async () => {
  model = await connect(url);
  model.on('error', () => undefined);
  tap = await Tap.open({ urls: [url], routes });
  publisher = await model.createConfirmChannel();
});

afterEach(async () => {
  await tap.close();
  const channel = await model.createChannel();
  for (const { exchange, queue } of Object.values(routes)) {
    await channel.deleteQueue(queue);
    await channel.deleteExchange(exchange);
  }
  await model.close();
});

const publish = (to: keyof typeof routes, messageId: string, attempt: string): boolean =>
  publisher.publish(routes[to].exchange, 'key', Buffer.from('{}'), {
    messageId,
    persistent: true,
    headers: { 'x-attempt': attempt },
  });

describe('the tap', () => {
  it('when messages are published, then each publish is counted on its route', async () => {
    for (let index = 0; index < 3_000; index += 1) publish('deductions', `m${String(index)}`, `${String(index)}:1`);
    publish('deductions', 'm0', '0:3');
    publish('decisions', 'd0', '0:1');
    await publisher.waitForConfirms();
    const { tap: deductions, decisionTap } = await tap.finish();
    expect(deductions?.size).toBe(3_000);
    expect(deductions?.get('m0')).toBe(2);
    expect(decisionTap).toEqual(new Map([['d0', 1]]));
  });

  it('when its connection is cut, then it comes back, misses nothing and counts nothing twice', async () => {
    const cut = (): void => {
      const { model: own } = tap as unknown as { model: ChannelModel };
      (own.connection as unknown as { stream: { destroy(error: Error): void } }).stream.destroy(new Error('cut'));
    };
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 500; index += 1) publish('deductions', `m${String(round)}-${String(index)}`, 'a');
      if (round < 2) cut();
      await publisher.waitForConfirms();
    }
    const { tap: deductions } = await tap.finish();
    expect(deductions?.size).toBe(1_500);
    expect([...(deductions?.values() ?? [])].every((count) => count === 1)).toBe(true);
  });

  it('when its queue was taken away, then it does not pretend to have seen everything', async () => {
    const channel = await model.createChannel();
    await channel.deleteQueue(routes.deductions.queue);
    await expect(tap.finish(1_500)).rejects.toThrow('could not be read to its end');
  });

  it('when it is finished, then its queues are gone and nothing is tapped any more', async () => {
    await tap.finish();
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    await expect(channel.checkQueue(routes.deductions.queue)).rejects.toThrow('NOT_FOUND');
  });
});
