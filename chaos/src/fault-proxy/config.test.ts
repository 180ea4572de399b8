import { startFaultProxy, type FaultProxy } from './fault-proxy.js';

const started: FaultProxy[] = [];
afterEach(() => Promise.all(started.splice(0).map((proxy) => proxy.stop())));

async function startWith(config: unknown): Promise<FaultProxy> {
  const proxy = await startFaultProxy({ host: '127.0.0.1', port: 0, seed: 1, config });
  started.push(proxy);
  return proxy;
}

describe('a configuration', () => {
  it('when it names proxies, then they are there from the first call on', async () => {
    const entry = { name: 'db', listen: '127.0.0.1:0', upstream: '127.0.0.1:9', enabled: true };
    const { host, port } = await startWith([entry, { ...entry, name: 'broker' }]);
    const proxies = (await (await fetch(`http://${host}:${String(port)}/proxies`)).json()) as Record<string, unknown>;
    expect(Object.keys(proxies)).toEqual(['broker', 'db']);
    expect(proxies['db']).toMatchObject({ upstream: '127.0.0.1:9', enabled: true });
  });

  it('when it is wrong, then the proxy does not start', async () => {
    await expect(startWith([{ name: 'db' }])).rejects.toThrow('missing required field: upstream');
    await expect(startWith({})).rejects.toThrow('body is not an array');
  });
});
