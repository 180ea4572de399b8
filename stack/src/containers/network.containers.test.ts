import { execFileSync } from 'node:child_process';
import { createConnection } from 'mysql2/promise';
import { startStack, type FaultProxyServer, type Stack } from '../index.js';
import { query } from '../testing/database-suite.js';
import { publish } from '../testing/publish.js';

const ORIGINAL = 'ghcr.io/shopify/toxiproxy:2.12.0';

jest.setTimeout(120_000);

describe('a server in a container can lose its network', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ backend: 'containers', databases: ['order'], management: false });
  }, 240_000);
  afterAll(() => stack.stop());

  it('when a database is off it, then it runs and is of no use; when it is back, then at the same URL, with its rows', async () => {
    const { orderDb } = stack;
    await query(orderDb.url, 'CREATE TABLE kept (id INT PRIMARY KEY)');
    const open = await createConnection(orderDb.url);
    open.on('error', () => undefined);
    await orderDb.disconnect();
    expect([orderDb.isRunning(), await orderDb.isReady()]).toEqual([true, false]);
    await expect(open.query({ sql: 'SELECT 1', timeout: 3_000 })).rejects.toThrow();
    open.destroy();

    await orderDb.reconnect();
    await orderDb.waitUntilReady();

    expect(await query(orderDb.url, 'SELECT COUNT(*) AS rows_kept FROM kept')).toEqual([{ rows_kept: 0 }]);
  });

  it('when it is killed while it is off it, then it is back on it when it is started', async () => {
    const { orderDb } = stack;
    await orderDb.disconnect();
    await orderDb.kill();
    await orderDb.start();
    expect(await orderDb.isReady()).toBe(true);
  });

  it('when the broker is off it, then it runs and is of no use; when it is back, then with its messages and its tools', async () => {
    const { broker } = stack;
    await publish(broker.url, 'kept');
    await broker.disconnect();
    expect([broker.isRunning(), await broker.isReady()]).toEqual([true, false]);

    await broker.reconnect();
    await broker.waitUntilReady();

    expect(await broker.queueDepth('kept')).toBe(1);
    expect(await broker.ctl('list_users')).toContain('counterfoil');
  });
});

describe('a fault proxy among the servers', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ backend: 'containers', broker: false, databases: ['order'] });
  }, 240_000);
  afterAll(() => stack.stop());

  it('when there is an image of one, then it reaches a server by its address there, and is reached here; else there is none', async () => {
    const proxy = await stack.startFaultProxy({ ports: 1, seed: 1 });
    if (proxy === null) expect([process.env['TOXIPROXY_IMAGE'] ?? '', imagesOf(ORIGINAL)]).toEqual(['', []]);
    else expect(await query(await throughIt(proxy, stack), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

/** The order database's URL, with a proxy of its own in between. */
async function throughIt({ url, ports: [port = 0] }: FaultProxyServer, { orderDb }: Stack): Promise<string> {
  const body = JSON.stringify({ name: 'orders', listen: `0.0.0.0:${port}`, upstream: orderDb.peerAddress });
  expect((await fetch(`${url}/proxies`, { method: 'POST', body })).status).toBe(201);
  const proxied = new URL(orderDb.url);
  proxied.port = String(port);
  return proxied.href;
}

const imagesOf = (name: string): string[] =>
  execFileSync('docker', ['image', 'ls', '--quiet', name], { encoding: 'utf8' }).split('\n').filter(Boolean);
