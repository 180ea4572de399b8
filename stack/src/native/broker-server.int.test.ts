import { connect } from 'amqplib';
import { startStack, type Stack } from '../index.js';

const QUORUM = { durable: true, arguments: { 'x-queue-type': 'quorum' } };

describe('a broker keeps what was confirmed', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ databases: [] });
  }, 60_000);
  afterAll(() => stack.stop());

  it('when it is killed with SIGKILL and started, then a confirmed message is in its quorum queue', async () => {
    await publish(stack.broker.url, 'kept');
    await stack.broker.flushDeclarations();
    await expect(stack.broker.kill()).resolves.toEqual({ code: null, signal: 'SIGKILL', expected: true });

    await stack.broker.start();

    expect(await stack.broker.queueDepth('kept')).toBe(1);
  }, 60_000);

  it('when a vhost is created, then its URL works, and deleting it takes its queues along', async () => {
    const url = await stack.broker.createVhost('suite/1');
    await publish(url, 'there');
    expect(await stack.broker.queueDepth('there', 'suite/1')).toBe(1);
    await stack.broker.deleteVhost('suite/1');
    await expect(connect(url)).rejects.toThrow();
  });

  it('when a queue does not exist, then its depth is an error', async () => {
    await expect(stack.broker.queueDepth('nowhere')).rejects.toThrow('NOT_FOUND');
  });

  it('when rabbitmqctl is asked, then it speaks of this broker; when it fails, then the error says why', async () => {
    expect(await stack.broker.ctl('list_users')).toContain('counterfoil');
    await expect(stack.broker.ctl('no_such_command')).rejects.toMatchObject({ code: 'command-failed' });
  });

  it('when its pid is looked at, then it is the Erlang VM, so that a signal reaches the broker itself', async () => {
    expect((await stack.broker.ctl('eval', 'os:getpid().')).trim()).toBe(`"${String(stack.broker.pid)}"`);
  });

  it('when it is paused, then it is not ready until it is resumed', async () => {
    stack.broker.pause();
    expect(await stack.broker.isReady()).toBe(false);
    stack.broker.resume();
    await stack.broker.waitUntilReady();
  });
});

async function publish(url: string, queue: string): Promise<void> {
  const connection = await connect(url);
  connection.on('error', () => undefined);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(queue, QUORUM);
  channel.sendToQueue(queue, Buffer.from('confirmed'), { persistent: true });
  await channel.waitForConfirms();
  await connection.close();
}
