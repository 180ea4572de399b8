import { startFaultProxy, type FaultProxy } from './fault-proxy.js';

const started: FaultProxy[] = [];
let errors: unknown[];
beforeEach(() => {
  errors = [];
});
afterEach(() => Promise.all(started.splice(0).map((proxy) => proxy.stop())));

/** @returns the proxies that are there at the first call */
async function startWith(read: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const config = { read, onError: (error: unknown) => void errors.push(error) };
  const proxy = await startFaultProxy({ host: '127.0.0.1', port: 0, seed: 1, config });
  started.push(proxy);
  return (await (await fetch(`http://${proxy.host}:${String(proxy.port)}/proxies`)).json()) as Record<string, unknown>;
}

describe('a configuration', () => {
  const entry = { name: 'db', listen: '127.0.0.1:0', upstream: '127.0.0.1:9', enabled: true };

  it('when it names proxies, then they are there from the first call on', async () => {
    const proxies = await startWith(async () => [entry, { ...entry, name: 'broker' }]);
    expect(Object.keys(proxies)).toEqual(['broker', 'db']);
    expect(proxies['db']).toMatchObject({ upstream: '127.0.0.1:9', enabled: true });
    expect(errors).toEqual([]);
  });

  it.each([
    ['lacks a field', [entry, { name: 'broker' }], 'missing required field: upstream at proxy 2'],
    ['is no list', {}, 'body is not an array'],
  ])('when it %s, then that is told, and the server starts without proxies', async (_what, config, says) => {
    expect(await startWith(async () => config)).toEqual({});
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining(says) })]);
  });

  it('when one of its proxies cannot be made, then that is told, and those before it are there', async () => {
    const wrong = { ...entry, name: 'wrong', listen: '203.0.113.1:0' }; // an address that no machine has
    const proxies = await startWith(async () => [entry, wrong, { ...entry, name: 'broker' }]);
    expect(Object.keys(proxies)).toEqual(['db']);
    expect(errors).toHaveLength(1);
  });

  it('when it cannot be read, then that is told, and the server starts', async () => {
    const unread = new Error('ENOENT');
    expect(await startWith(() => Promise.reject(unread))).toEqual({});
    expect(errors).toEqual([unread]);
  });
});
