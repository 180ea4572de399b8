import type { Answer } from '../answer.js';
import type { Bench } from '../bench.js';
import { vector, type Vector } from './vector.js';

async function withProxy(bench: Bench): Promise<(body: unknown) => Promise<Answer>> {
  await bench.call('POST', '/proxies', { name: 'a', listen: '127.0.0.1:0', upstream: '127.0.0.1:9' });
  return (body) => bench.call('POST', '/proxies/a/toxics', body);
}

/** A23–A29. */
export const TOXIC_ROUTES: readonly Vector[] = [
  vector('A23', 'when only a type is given, or an empty name, then the rest has its defaults', async (bench) => {
    const add = await withProxy(bench);
    const latency = { name: 'latency_downstream', type: 'latency', stream: 'downstream', toxicity: 1 };
    for (const body of [{ type: 'latency' }, { type: 'latency', name: '' }]) {
      const answer = await add(body);
      expect([answer.status, answer.json]).toEqual([200, { ...latency, attributes: { latency: 0, jitter: 0 } }]);
      await bench.remove('/proxies/a/toxics/latency_downstream');
    }
  }),
  vector('A24', 'when a name is taken, then it is 409 in either stream', async (bench) => {
    const add = await withProxy(bench);
    expect((await add({ type: 'noop', name: 'x' })).status).toBe(200);
    for (const stream of ['upstream', 'downstream']) {
      const again = await add({ type: 'latency', name: 'x', stream });
      expect([again.status, again.json.error]).toEqual([409, 'toxic already exists']);
    }
    expect((await add({ type: 'noop', stream: 'upstream' })).status).toBe(200);
    expect((await add({ type: 'noop', stream: 'downstream' })).status).toBe(200);
  }),
  vector('A25', 'when stream, type or an attribute is wrong, then it is 400', async (bench) => {
    const add = await withProxy(bench);
    const stream = await add({ type: 'latency', stream: 'sideways' });
    expect(stream.json.error).toBe('stream was invalid, can be either upstream or downstream');
    for (const type of ['bad', 'down', '']) {
      expect([type, (await add({ type })).json]).toEqual([type, { error: 'invalid toxic type', status: 400 }]);
    }
    for (const latency of ['1', 1.5, true, {}]) {
      const answer = await add({ type: 'latency', attributes: { latency } });
      expect([latency, answer.status]).toEqual([latency, 400]);
      expect(answer.json.error).toMatch(/^bad request body: /);
    }
    expect((await add({ type: 'noop', stream: 'UpStream' })).json.stream).toBe('UpStream');
  }),
  vector('A26', 'when a toxic is updated, then what is not given stays', async (bench) => {
    const add = await withProxy(bench);
    await add({ type: 'latency', toxicity: 0.5, attributes: { latency: 1, jitter: 2 } });
    const changes = { type: 'noop', name: 'x', stream: 'upstream', attributes: { latency: 9 } };
    const same = { name: 'latency_downstream', type: 'latency', stream: 'downstream', toxicity: 0.5 };
    for (const method of ['PATCH', 'POST']) {
      const answer = await bench.call(method, '/proxies/a/toxics/latency_downstream', changes);
      expect(answer.json).toEqual({ ...same, attributes: { latency: 9, jitter: 2 } });
    }
    const rolled = await bench.call('POST', '/proxies/a/toxics/latency_downstream', { toxicity: 0.25 });
    expect(rolled.json).toMatchObject({ toxicity: 0.25, attributes: { latency: 9, jitter: 2 } });
  }),
  vector('A27', 'when the toxic is unknown, then it is 404', async (bench) => {
    await withProxy(bench);
    for (const method of ['GET', 'DELETE']) {
      const answer = await bench.call(method, '/proxies/a/toxics/x');
      expect([answer.status, answer.json.error]).toEqual([404, 'toxic not found']);
    }
  }),
  vector('A28', 'when toxics are listed, then the upstream ones come first', async (bench) => {
    const add = await withProxy(bench);
    for (const [name, stream] of Object.entries({ a: 'downstream', b: 'upstream', c: 'downstream', d: 'upstream' })) {
      await add({ type: 'noop', name, stream });
    }
    const listed = (await bench.call('GET', '/proxies/a/toxics')).json as unknown as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(['b', 'd', 'a', 'c']);
    expect((await bench.call('GET', '/proxies/a')).json.toxics).toEqual(listed);
  }),
  vector('A29', 'when toxicity is 0.2, then it is echoed as 0.2', async (bench) => {
    const add = await withProxy(bench);
    expect((await add({ type: 'noop', toxicity: 0.2 })).text).toContain('"toxicity":0.2');
  }),
];
