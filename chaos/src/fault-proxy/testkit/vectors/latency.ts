import { quiet } from '../eventually.js';
import { Watch } from '../watch.js';
import { vector, type Vector } from './vector.js';

const slow = (latency: number, jitter = 0) => ({ type: 'latency', attributes: { latency, jitter } }) as const;

/** L1–L6. */
export const LATENCY: readonly Vector[] = [
  vector('L1', 'when one direction or both are slow, then an answer takes one latency or two', async (bench) => {
    const upstream = await bench.upstream('echo');
    for (const streams of [['upstream'], ['downstream'], ['upstream', 'downstream']] as const) {
      const proxy = await bench.proxy(upstream);
      for (const stream of streams) await bench.toxic(proxy, { ...slow(100), stream });
      const client = await bench.connect(proxy);
      const watch = new Watch();
      client.send('x');
      await client.has(1);
      watch.expect(100 * streams.length);
    }
  }),
  vector('L2', 'when there is jitter, then all comes within its bounds and in order', async (bench) => {
    const upstream = await bench.upstream('echo');
    const proxy = await bench.proxy(upstream);
    await bench.toxic(proxy, slow(30, 15));
    const client = await bench.connect(proxy);
    for (let index = 0; index < 40; index++) {
      const watch = new Watch();
      client.send(String.fromCharCode(65 + (index % 26)));
      await client.has(index + 1);
      watch.expect(15);
    }
    client.send(Buffer.from('0123456789'.repeat(20)));
    const alphabet = Array.from({ length: 40 }, (_, index) => String.fromCharCode(65 + (index % 26))).join('');
    expect(await client.has(240)).toBe(alphabet + '0123456789'.repeat(20));
  }),
  vector('L3', 'when there are two latencies, then they add up', async (bench) => {
    const proxy = await bench.proxy(await bench.upstream('echo'));
    await bench.toxic(proxy, { ...slow(250), name: 'one' });
    await bench.toxic(proxy, { ...slow(250), name: 'two' });
    const client = await bench.connect(proxy);
    const watch = new Watch();
    client.send('x');
    await client.has(1);
    watch.expect(500);
  }),
  vector('L4', 'when a fast sender meets latency, then its throughput is that without it', async (bench) => {
    const bytes = Buffer.alloc(24_000_000, 'x');
    const timed = async (latency: number) => {
      const upstream = await bench.upstream('sink');
      const proxy = await bench.proxy(upstream);
      await bench.toxic(proxy, { ...slow(latency), stream: 'upstream' });
      const { client, server } = await bench.pair(proxy, upstream);
      const startMs = performance.now();
      client.send(bytes);
      await server.has(bytes.length);
      return performance.now() - startMs;
    };
    const untouchedMs = await timed(0);
    // One read at a time would take 366 × 100 ms.
    expect(await timed(100)).toBeLessThan(100 + untouchedMs * 5 + 1000);
  }),
  vector('L5', 'when it is removed during a wait, then the data comes at once', async (bench) => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    const path = await bench.toxic(proxy, { ...slow(2000), stream: 'upstream' });
    const { client, server } = await bench.pair(proxy, upstream);
    client.send('held');
    await quiet(50);
    expect(server.sizeBytes).toBe(0);
    const watch = new Watch();
    await bench.remove(path);
    expect(await server.has(4)).toBe('held');
    watch.expectSooner(1000);
  }),
  vector('L6', 'when a proxy is slow, then connecting to it is not', async (bench) => {
    const proxy = await bench.proxy(await bench.upstream('sink'));
    for (const stream of ['upstream', 'downstream'] as const) await bench.toxic(proxy, { ...slow(1000), stream });
    const watch = new Watch();
    await bench.connect(proxy);
    watch.expectSooner(500);
  }),
];
