import { randomBytes } from 'node:crypto';

import { connect, type Channel, type ChannelModel } from 'amqplib';

import { consumersOf } from './consumers.js';

const url = process.env['AMQP_URL'] ?? '';
const world = { stack: { broker: { url } } };
const queue = `chaos.consumers.${randomBytes(4).toString('hex')}`;

let model: ChannelModel;
let channel: Channel;

beforeEach(async () => {
  model = await connect(url);
  channel = await model.createChannel();
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
});
afterEach(async () => {
  await channel.deleteQueue(queue);
  await model.close();
});

const consume = () => channel.consume(queue, () => undefined);

describe('the consumers of a queue', () => {
  it('when one comes within the time, then it is waited for', async () => {
    const found = consumersOf(world, { [queue]: 1 }, 20_000);
    await consume();
    expect(await found).toEqual({ [queue]: 1 });
  });

  it('when one is missing or too many in the end, then those are told that are there', async () => {
    expect(await consumersOf(world, { [queue]: 1 }, 0)).toEqual({ [queue]: 0 });
    await consume();
    await consume();
    expect(await consumersOf(world, { [queue]: 1 }, 0)).toEqual({ [queue]: 2 });
  });

  it('when a queue is not there, or no broker is, then nothing is told', async () => {
    expect(await consumersOf(world, { [`${queue}.none`]: 0 }, 0)).toBeNull();
    expect(await consumersOf({ stack: { broker: { url: 'amqp://127.0.0.1:1' } } }, { [queue]: 0 }, 0)).toBeNull();
  });
});
