import { once } from 'node:events';
import { join } from 'node:path';
import { startStack, type Exit, type ServiceProcess, type Stack } from './index.js';

const FIXTURES = join(__dirname, '..', 'fixtures');
const script = join(FIXTURES, 'answering-service.cjs');

describe('a service runs as a process of its own, with what it was given and nothing else', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ broker: false, databases: [] });
  });
  afterAll(() => stack.stop());

  it('when it is started, then it is ready, and has its environment, arguments and preloads but not ours', async () => {
    process.env['DB_URL'] = 'mysql://of-somebody-else';
    const nodeArgs = ['--require', join(FIXTURES, 'preload.cjs')];
    const service = await stack.startService({ name: 'a', script, env: { COLOUR: 'red' }, args: ['--x'], nodeArgs });
    delete process.env['DB_URL'];
    const said = await ask(service);
    expect(said).toMatchObject({ args: ['--x'], preloaded: true, env: { COLOUR: 'red', PORT: String(service.port) } });
    expect(said.env).not.toHaveProperty('DB_URL');
  });

  it('when it is restarted, then it has the same URL, another pid and the same log', async () => {
    const service = await stack.startService({ name: 'b', script, env: {} });
    const { url, pid } = service;
    await service.restart();
    expect(service.url).toBe(url);
    expect(service.pid).not.toBe(pid);
    expect(service.logs()).toBe('started\nstarted');
  });

  it('when it ends although nobody asked, then the exit event says so', async () => {
    const service = await stack.startService({ name: 'c', script, env: {} });
    const ended = once(service, 'exit') as Promise<[Exit]>;
    process.kill(service.pid ?? 0, 'SIGKILL');
    expect(await ended).toEqual([{ code: null, signal: 'SIGKILL', expected: false }]);
    expect(service.isRunning()).toBe(false);
    expect(service.pid).toBeUndefined();
  });

  it('when it is paused, then stop ends it all the same', async () => {
    const service = await stack.startService({ name: 'd', script, env: {} });
    await service.pause();
    await service.stop();
    expect(await service.exited).toEqual({ code: 0, signal: null, expected: true });
  });

  it('when it dies at its start, then the error carries the end of its log', async () => {
    const starting = stack.startService({ name: 'e', script, env: { FAIL: 'no such database' } });
    await expect(starting).rejects.toMatchObject({
      code: 'exited-early',
      message: expect.stringContaining('no such database'),
    });
  });

  it('when it never becomes ready, then the error says what it answered', async () => {
    const service = await stack.addService({ name: 'f', script, env: { NEVER_READY: '1' } });
    await service.launch();
    await expect(service.waitUntilReady(1_000)).rejects.toMatchObject({
      code: 'not-ready',
      message: expect.stringContaining('503'),
    });
  });

  it('when it runs already, then starting it again is refused', async () => {
    const service = await stack.startService({ name: 'g', script, env: {} });
    await expect(service.start()).rejects.toMatchObject({ code: 'already-running' });
  });
});

async function ask(service: ServiceProcess): Promise<{ env: Record<string, string> }> {
  return (await (await fetch(service.url)).json()) as { env: Record<string, string> };
}
