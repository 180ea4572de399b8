import { randomBytes } from 'node:crypto';

import { connect, type ChannelModel } from 'amqplib';

import { MESSAGE_TABLE, runArmed } from './testing/armed-process.js';

const url = process.env['AMQP_URL'] ?? '';
const queue = `q-${randomBytes(4).toString('hex')}`;

let model: ChannelModel;
beforeEach(async () => {
  model = await connect(url);
});
afterEach(async () => {
  await (await model.createChannel()).deleteQueue(queue);
  await model.close();
});

const SCRIPT = `
  const { createRabbitChannel, createEvents } = require('${MESSAGE_TABLE}/index.js');
  const events = createEvents();
  const topology = { exchanges: [], queues: [{ name: '${queue}', durable: true, arguments: {} }], bindings: [] };
  const channel = createRabbitChannel({
    urls: process.argv[1], topology, events, connectionName: 'step', deadlineMs: 5000, heartbeatS: 10, attemptTimeoutMs: 5000,
  });
  events.once('channelUp', () => {
    process.kill(process.pid, 'SIGUSR2');
    setTimeout(() => {
      channel.send({
        id: '1', version: 1, messageId: 'm', taskName: 't', exchange: '', routingKey: '${queue}', channelConfig: null,
        content: '{}', headers: {}, createdMs: 0,
      });
    }, 50);
  });
  channel.start();`;

describe('the fail-point after a publish', () => {
  it('when the process is killed there, then the broker has the message', async () => {
    const { steps, signal } = await runArmed({ step: 'after-publish-before-confirm', action: 'crash' }, SCRIPT, url);
    expect(signal).toBe('SIGKILL');
    expect(steps.map(({ step }) => step)).toEqual(['after-publish-before-confirm']);
    const channel = await model.createChannel();
    const message = await channel.get(queue, { noAck: true });
    expect(message === false ? null : message.properties.messageId).toBe('m');
  });
});
