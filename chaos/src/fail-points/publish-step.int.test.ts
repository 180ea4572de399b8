import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { connect, type ChannelModel } from 'amqplib';

import { ARM_FILE, STEPS_FILE, type StepLine } from './steps.js';

// Runs from dist/: what is preloaded wraps the built modules of a process.
const PRELOAD = join(__dirname, '..', '..', 'dist', 'fail-points', 'preload.js');
const MESSAGE_TABLE = join(dirname(require.resolve('@counterfoil/message-table/package.json')), 'dist');
const url = process.env['AMQP_URL'] ?? '';
const queue = `q-${randomBytes(4).toString('hex')}`;

let folder: string;
let model: ChannelModel;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'steps-'));
  model = await connect(url);
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
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
    const [armFile, stepsFile] = [join(folder, 'arm'), join(folder, 'steps')];
    writeFileSync(armFile, JSON.stringify({ step: 'after-publish-before-confirm', action: 'crash' }));
    const env = { ...process.env, [ARM_FILE]: armFile, [STEPS_FILE]: stepsFile };
    const child = spawn(process.execPath, ['--require', PRELOAD, '-e', SCRIPT, url], { env, stdio: 'inherit' });
    expect(await new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))).toBe('SIGKILL');
    expect((JSON.parse(readFileSync(stepsFile, 'utf8')) as StepLine).step).toBe('after-publish-before-confirm');
    const channel = await model.createChannel();
    const message = await channel.get(queue, { noAck: true });
    expect(message === false ? null : message.properties.messageId).toBe('m');
  });
});
