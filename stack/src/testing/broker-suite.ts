import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { connect } from 'amqplib';
import { startStack, type Stack, type StackOptions } from '../index.js';
import { publish } from './publish.js';

/** What a broker of any backend does. */
export function brokerSuite(options: StackOptions): void {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ ...options, databases: [] });
  }, 120_000);
  afterAll(() => stack.stop(), 60_000);

  queues(() => stack);
  tools(() => stack);
}

function queues(stackOf: () => Stack): void {
  it('when it is killed with SIGKILL and started, then a confirmed message is in its quorum queue', async () => {
    const { broker } = stackOf();
    await publish(broker.url, 'kept');
    await broker.flushDeclarations();
    await expect(broker.kill()).resolves.toEqual({ code: null, signal: 'SIGKILL', expected: true });

    await broker.start();

    expect(await broker.queueDepth('kept')).toBe(1);
  }, 60_000);

  it('when a vhost is created, then its URL works, and deleting it takes its queues along', async () => {
    const { broker } = stackOf();
    const url = await broker.createVhost('suite/1');
    await publish(url, 'there');
    expect(await broker.queueDepth('there', 'suite/1')).toBe(1);
    await broker.deleteVhost('suite/1');
    await expect(connect(url)).rejects.toThrow();
  });

  it('when a queue does not exist, then its depth is an error', async () => {
    await expect(stackOf().broker.queueDepth('nowhere')).rejects.toThrow('NOT_FOUND');
  });

  it('when it is paused, then it is not ready until it is resumed', async () => {
    const { broker } = stackOf();
    await broker.pause();
    expect(await broker.isReady()).toBe(false);
    await broker.resume();
    await broker.waitUntilReady();
  });
}

function tools(stackOf: () => Stack): void {
  it('when rabbitmqctl is asked, then it speaks of this broker; when it fails, then the error says why', async () => {
    expect(await stackOf().broker.ctl('list_users')).toContain('counterfoil');
    await expect(stackOf().broker.ctl('no_such_command')).rejects.toMatchObject({ code: 'command-failed' });
  });

  it('when rabbitmqctl is run as a program, then it speaks of this broker too', async () => {
    const { stdout } = await promisify(execFile)(stackOf().broker.ctlProgram, ['--quiet', 'list_users']);
    expect(stdout).toContain('counterfoil');
  });

  it('when its pid is looked at, then it is the Erlang VM, so that what is measured is the broker itself', () => {
    expect(readFileSync(`/proc/${String(stackOf().broker.pid)}/comm`, 'utf8').trim()).toBe('beam.smp');
  });
}
