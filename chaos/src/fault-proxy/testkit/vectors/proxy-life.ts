import { portOf } from '../bench.js';
import { freePort } from '../server-under-test.js';
import { canConnect } from './proxy-routes.js';
import { vector, type Vector } from './vector.js';

/** A12–A15 and A30: what happens to those who are connected. */
export const PROXY_LIFE: readonly Vector[] = [
  vector(
    'A12',
    'when it is disabled, then connections end and new ones are refused until it is back',
    async (bench) => {
      const upstream = await bench.upstream('echo');
      const proxy = await bench.proxy(upstream);
      for (const method of ['PATCH', 'POST']) {
        const { client, server } = await bench.pair(proxy, upstream);
        expect((await bench.call(method, proxy.path, { enabled: false })).json.enabled).toBe(false);
        await Promise.all([client.ended, server.ended]);
        expect(await canConnect(proxy.port)).toBe(false);
        const back = await bench.call(method, proxy.path, { enabled: true });
        expect([portOf(back.json.listen), await canConnect(proxy.port)]).toEqual([proxy.port, true]);
      }
    },
  ),
  vector('A13', 'when it is given the values it has, then open connections survive', async (bench) => {
    const upstream = await bench.upstream('echo');
    const proxy = await bench.proxy(upstream);
    const client = await bench.connect(proxy);
    for (const host of ['127.0.0.1', 'localhost']) {
      const same = { listen: `${host}:${proxy.port}`, upstream: upstream.address, enabled: true };
      expect((await bench.call('PATCH', proxy.path, same)).status).toBe(200);
    }
    client.send('still');
    expect(await client.has(5)).toBe('still');
  }),
  vector('A14', 'when the upstream changes, then connections end, new ones reach it, toxics stay', async (bench) => {
    const [old, other] = [await bench.upstream('echo'), await bench.upstream('sink')];
    const proxy = await bench.proxy(old);
    await bench.toxic(proxy, { type: 'noop' });
    const client = await bench.connect(proxy);
    const answer = await bench.call('PATCH', proxy.path, { upstream: other.address });
    expect(answer.json).toMatchObject({ upstream: other.address, toxics: [{ name: 'noop_downstream' }] });
    await client.ended;
    const { client: second, server } = await bench.pair(proxy, other);
    second.send('hello');
    expect(await server.has(5)).toBe('hello');
  }),
  vector('A15', 'when it is moved to a taken port, then it is 500 and stays down', async (bench) => {
    const upstream = await bench.upstream('echo');
    const proxy = await bench.proxy(upstream);
    expect((await bench.call('PATCH', proxy.path, { listen: upstream.address })).status).toBe(500);
    const state = await bench.call('GET', proxy.path);
    expect(state.json).toMatchObject({ enabled: false, listen: upstream.address });
  }),
  vector('A30', 'when all is reset, then proxies are up and without toxics', async (bench) => {
    const upstream = await bench.upstream('echo');
    const [up, down] = [await bench.proxy(upstream), await bench.proxy(upstream)];
    await bench.toxic(up, { type: 'latency' });
    await bench.change(down.path, { enabled: false });
    expect(await bench.call('POST', '/reset')).toMatchObject({ status: 204, text: '' });
    const all = Object.values((await bench.call('GET', '/proxies')).json);
    expect(all).toMatchObject([
      { enabled: true, toxics: [] },
      { enabled: true, toxics: [] },
    ]);
    expect(await canConnect(down.port)).toBe(true);
  }),
];

/** A17–A22. */
export const POPULATE: readonly Vector[] = [
  vector('A17', 'when two are populated, then they come back in order and enabled', async (bench) => {
    const entry = (name: string) => ({ name, listen: '127.0.0.1:0', upstream: '127.0.0.1:9' });
    const answer = await bench.call('POST', '/populate', [entry('b'), entry('a')]);
    const views = [
      { name: 'b', enabled: true },
      { name: 'a', enabled: true },
    ];
    expect(answer).toMatchObject({ status: 201, json: { proxies: views } });
  }),
  vector('A18', 'when the same is populated again, then toxics, connections and state stay', async (bench) => {
    const upstream = await bench.upstream('echo');
    const entry = { name: 'a', listen: `127.0.0.1:${await freePort()}`, upstream: upstream.address };
    await bench.call('POST', '/populate', [entry]);
    await bench.call('POST', '/proxies/a/toxics', { type: 'noop' });
    const client = await bench.connect({ port: portOf(entry.listen) });
    const again = await bench.call('POST', '/populate', [{ ...entry, enabled: false }]);
    expect(again.json.proxies).toMatchObject([{ enabled: true, toxics: [{ type: 'noop' }] }]);
    client.send('still');
    expect(await client.has(5)).toBe('still');
  }),
  vector('A19', 'when it is populated with another upstream, then its toxics are gone', async (bench) => {
    const entry = { name: 'a', listen: `127.0.0.1:${await freePort()}`, upstream: '127.0.0.1:9' };
    await bench.call('POST', '/populate', [entry]);
    await bench.call('POST', '/proxies/a/toxics', { type: 'noop' });
    const answer = await bench.call('POST', '/populate', [{ ...entry, upstream: '127.0.0.1:7' }]);
    expect(answer.json.proxies).toMatchObject([{ upstream: '127.0.0.1:7', toxics: [] }]);
  }),
  vector('A20', 'when one entry lacks a name, then it is named and nothing is made', async (bench) => {
    const good = { name: 'a', listen: '127.0.0.1:0', upstream: '127.0.0.1:9' };
    const answer = await bench.call('POST', '/populate', [good, { upstream: '127.0.0.1:9' }]);
    expect(answer).toMatchObject({ status: 400, json: { error: 'missing required field: name at proxy 2' } });
    expect((await bench.call('GET', '/proxies')).json).toEqual({});
  }),
  vector('A21', 'when the second entry cannot listen, then only the first is made', async (bench) => {
    const upstream = await bench.upstream('echo');
    const entry = (name: string, listen: string) => ({ name, listen, upstream: upstream.address });
    const entries = [entry('a', '127.0.0.1:0'), entry('b', upstream.address), entry('c', '127.0.0.1:0')];
    const answer = await bench.call('POST', '/populate', entries);
    expect(answer).toMatchObject({ status: 500, json: { status: 500, proxies: [{ name: 'a' }] } });
    expect(Object.keys((await bench.call('GET', '/proxies')).json)).toEqual(['a']);
  }),
  vector('A22', 'when nothing is populated, then the list is null', async (bench) => {
    expect(await bench.call('POST', '/populate', [])).toMatchObject({ status: 201, json: { proxies: null } });
  }),
];
