import { connect } from 'node:net';
import type { Bench } from '../bench.js';
import { portOf } from '../bench.js';
import { freePort } from '../server-under-test.js';
import { vector, type Vector } from './vector.js';

const UPSTREAM = '127.0.0.1:9';
const ANY_PORT = '127.0.0.1:0';

export const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const create = (bench: Bench, body: object) => bench.call('POST', '/proxies', body);

/** A1–A11, A16, A31 and A32: routes, errors and proxies that nobody is connected to. */
export const PROXY_ROUTES: readonly Vector[] = [
  vector('A1', 'when the version is asked for, then it is JSON of the documented type', async (bench) => {
    const answer = await bench.call('GET', '/version');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json;charset=utf-8']);
    expect(answer.text).toMatch(/^\{"version": "[^"]+"\}\n$/);
    expect(answer.headers.get('x-toxiproxy-request-id')).toBeTruthy();
  }),
  vector('A2', 'when a browser calls, then it is turned away', async (bench) => {
    const answer = await bench.call('GET', '/version', undefined, { 'user-agent': 'Mozilla/5.0' });
    expect([answer.status, answer.text]).toEqual([403, 'User agent not allowed\n']);
  }),
  vector('A3', 'when path or method is unknown, then it is 404 or 405, even for a browser', async (bench) => {
    const answer = await bench.call('GET', '/nope', undefined, { 'user-agent': 'Mozilla/5.0' });
    expect([answer.status, answer.text]).toEqual([404, '404 page not found\n']);
    expect((await bench.call('PUT', '/proxies', {})).status).toBe(405);
  }),
  vector('A4', 'when there are no proxies, then the list is an empty object', async (bench) => {
    expect(await bench.call('GET', '/proxies')).toMatchObject({ status: 200, json: {} });
  }),
  vector('A5', 'when name or upstream is missing, then it says which', async (bench) => {
    const said = (await create(bench, {})).json;
    expect(said).toEqual({ error: 'missing required field: name', status: 400 });
    expect((await create(bench, { name: 'a' })).json.error).toBe('missing required field: upstream');
  }),
  vector('A6', 'when a proxy is made, then its resolved address accepts', async (bench) => {
    const port = await freePort();
    const answer = await create(bench, { name: 'a', listen: `localhost:${port}`, upstream: UPSTREAM, enabled: true });
    expect(answer).toMatchObject({ status: 201, json: { name: 'a', listen: `127.0.0.1:${port}`, toxics: [] } });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await canConnect(port)).toBe(true);
  }),
  vector('A7', 'when name or port is taken, then it is refused until the holder is deleted', async (bench) => {
    const listen = (await create(bench, { name: 'a', listen: ANY_PORT, upstream: UPSTREAM })).json.listen;
    const sameName = await create(bench, { name: 'a', listen: ANY_PORT, upstream: UPSTREAM });
    expect(sameName).toMatchObject({ status: 409, json: { error: 'proxy already exists' } });
    const samePort = await create(bench, { name: 'b', listen, upstream: UPSTREAM });
    expect([samePort.status, samePort.json.error]).toEqual([500, expect.stringContaining('address already in use')]);
    await bench.remove('/proxies/a');
    expect((await create(bench, { name: 'b', listen, upstream: UPSTREAM })).status).toBe(201);
  }),
  vector('A8', 'when it is made disabled, then nobody can connect', async (bench) => {
    const listen = `localhost:${await freePort()}`;
    const answer = await create(bench, { name: 'a', listen, upstream: UPSTREAM, enabled: false });
    expect(answer).toMatchObject({ status: 201, json: { listen, enabled: false } });
    expect(await canConnect(portOf(listen))).toBe(false);
  }),
  vector('A9', 'when port 0 is asked for, then the answer has the real one', async (bench) => {
    const { json } = await create(bench, { name: 'a', listen: ANY_PORT, upstream: UPSTREAM });
    expect(portOf(json.listen)).toBeGreaterThan(0);
  }),
  vector('A10', 'when the body is empty or no JSON, then it is a bad request', async (bench) => {
    const answer = await bench.call('POST', '/proxies');
    expect([answer.status, answer.json.error]).toEqual([400, 'bad request body: EOF']);
    expect((await bench.call('POST', '/proxies', '{"name":')).json.error).toMatch(/^bad request body: /);
    expect((await bench.call('POST', '/proxies', 'null')).json.error).toBe('missing required field: name');
    const trailing = `{"NAME":"a","upstream":"${UPSTREAM}","listen":"${ANY_PORT}","x":1} trailing`;
    expect((await bench.call('POST', '/proxies', trailing)).status).toBe(201);
  }),
  vector('A11', 'when the proxy is unknown, then it is 404 whatever is asked', async (bench) => {
    for (const method of ['GET', 'PATCH', 'POST', 'DELETE']) {
      const answer = await bench.call(method, '/proxies/nobody', method === 'GET' ? undefined : {});
      expect([method, answer.status, answer.json.error]).toEqual([method, 404, 'proxy not found']);
    }
    expect((await bench.call('POST', '/proxies/nobody/toxics')).status).toBe(404);
  }),
  vector('A16', 'when it is deleted twice, then the second time is 404', async (bench) => {
    await create(bench, { name: 'a', listen: ANY_PORT, upstream: UPSTREAM });
    expect(await bench.call('DELETE', '/proxies/a')).toMatchObject({ status: 204, text: '' });
    expect((await bench.call('DELETE', '/proxies/a')).status).toBe(404);
  }),
  vector('A31', 'when a call fails, then the answer is JSON that calls itself text', async (bench) => {
    const answer = await bench.call('GET', '/proxies/nobody');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.text).toBe('{"error":"proxy not found","status":404}\n');
  }),
  vector('A32', 'when a name has a space, then %20 finds it', async (bench) => {
    await create(bench, { name: 'a b', listen: ANY_PORT, upstream: UPSTREAM });
    expect((await bench.call('GET', '/proxies/a%20b')).json.name).toBe('a b');
  }),
];
