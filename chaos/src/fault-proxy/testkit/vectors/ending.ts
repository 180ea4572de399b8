import type { Bench } from '../bench.js';
import { quiet } from '../eventually.js';
import { Watch } from '../watch.js';
import { vector, type Vector } from './vector.js';

async function pairWith(bench: Bench, type: string, attributes: Record<string, number>, toxicity = 1) {
  const upstream = await bench.upstream('sink');
  const proxy = await bench.proxy(upstream);
  const path = await bench.toxic(proxy, { type, stream: 'upstream', toxicity, attributes });
  return { upstream, proxy, path, ...(await bench.pair(proxy, upstream)) };
}

/** T1–T5. */
export const TIMEOUT: readonly Vector[] = [
  vector('T1', 'when all bytes are dropped, then the connection stays until the toxic goes', async (bench) => {
    const { client, server, path } = await pairWith(bench, 'timeout', { timeout: 0 });
    client.send('into the void');
    await quiet(1000);
    expect([server.sizeBytes, server.end, client.end]).toEqual([0, undefined, undefined]);
    await bench.remove(path);
    expect(await Promise.all([client.ended, server.ended])).toEqual(['fin', 'fin']);
    expect(server.sizeBytes).toBe(0);
  }),
  vector('T2', 'when nothing is sent for the time-out, then it closes', async (bench) => {
    const watch = new Watch();
    const { client, server } = await pairWith(bench, 'timeout', { timeout: 200 });
    await Promise.all([client.ended, server.ended]);
    watch.expect(200);
  }),
  vector('T3', 'when bytes keep coming, then it stays open, and closes after the last', async (bench) => {
    const { client } = await pairWith(bench, 'timeout', { timeout: 300 });
    for (let sent = 0; sent < 10; sent++) {
      client.send('x');
      await quiet(100);
    }
    expect(client.end).toBeUndefined();
    const watch = new Watch();
    client.send('last');
    await client.ended;
    watch.expect(300, client.endedAtMs);
  }),
  vector('T4', 'when toxicity 0 becomes 1, then what passed is closed', async (bench) => {
    const { client, server, path } = await pairWith(bench, 'timeout', { timeout: 100 }, 0);
    client.send('passes');
    expect(await server.has(6)).toBe('passes');
    await quiet(200);
    expect(client.end).toBeUndefined();
    const watch = new Watch();
    await bench.change(path, { toxicity: 1 });
    await client.ended;
    watch.expect(100, client.endedAtMs);
  }),
  vector('T5', 'when another toxic is removed beside a time-out, then the call is answered', async (bench) => {
    const { client, proxy } = await pairWith(bench, 'timeout', { timeout: 0 });
    const path = await bench.toxic(proxy, { type: 'latency', stream: 'upstream', attributes: { latency: 5000 } });
    client.send(Buffer.alloc(5_000_000));
    await quiet(100);
    const watch = new Watch();
    await bench.remove(path);
    watch.expectSooner(1000);
  }),
];

/** R1–R4. */
export const RESET_PEER: readonly Vector[] = [
  vector('R1', 'when a connection opened after it sends, then it is reset after the time-out', async (bench) => {
    for (const timeout of [0, 100]) {
      for (const stream of ['upstream', 'downstream'] as const) {
        const upstream = await bench.upstream('echo');
        const proxy = await bench.proxy(upstream);
        await bench.toxic(proxy, { type: 'reset_peer', stream, attributes: { timeout } });
        const { client } = await bench.pair(proxy, upstream);
        const watch = new Watch();
        client.send('x');
        expect(await client.ended).toBe('reset');
        watch.expect(timeout, client.endedAtMs);
      }
    }
  }),
  vector('R2', 'when a connection opened before it sends, then it ends: ours by a reset', async (bench) => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    const { client, server } = await bench.pair(proxy, upstream);
    await bench.toxic(proxy, { type: 'reset_peer', stream: 'upstream' });
    client.send('x');
    const end = bench.isOurs ? 'reset' : 'fin';
    expect(await Promise.all([client.ended, server.ended])).toEqual([end, end]);
  }),
  vector('R3', 'when a connection is idle, then it is left alone', async (bench) => {
    const { client, server } = await pairWith(bench, 'reset_peer', { timeout: 0 });
    await quiet(300);
    expect([client.end, server.end]).toEqual([undefined, undefined]);
  }),
  vector('R4', 'when toxicity is 0, then a close is a close; in the original a reset', async (bench) => {
    const { client, server } = await pairWith(bench, 'reset_peer', { timeout: 0 }, 0);
    server.send('answer');
    await client.has(6);
    server.finish();
    expect(await client.ended).toBe(bench.isOurs ? 'fin' : 'reset');
  }),
];

/** M1–M3. */
export const LIMIT_DATA: readonly Vector[] = [
  vector('M1', 'when the limit is reached, then that much has passed and it ends', async (bench) => {
    for (const sizes of [[90, 20], [100]]) {
      const { client, server } = await pairWith(bench, 'limit_data', { bytes: 100 });
      for (const size of sizes) {
        client.send(Buffer.alloc(size));
        await quiet(20);
      }
      await Promise.all([server.ended, client.ended]);
      expect(server.sizeBytes).toBe(100);
    }
    const { client, server } = await pairWith(bench, 'limit_data', { bytes: 100 });
    client.send(Buffer.alloc(50));
    await server.has(50);
    await quiet(100);
    expect([client.end, server.end]).toEqual([undefined, undefined]);
  }),
  vector('M2', 'when it is updated, then the count goes on', async (bench) => {
    const { client, server, path } = await pairWith(bench, 'limit_data', { bytes: 100 });
    client.send(Buffer.alloc(80));
    await server.has(80);
    await bench.change(path, { attributes: { bytes: 120 } });
    client.send(Buffer.alloc(80));
    await server.ended;
    expect(server.sizeBytes).toBe(120);
  }),
  vector('M3', 'when the limit is 0, then the first byte ends it', async (bench) => {
    const { client, server } = await pairWith(bench, 'limit_data', { bytes: 0 });
    await quiet(50);
    expect(server.end).toBeUndefined();
    client.send('x');
    await server.ended;
    expect(server.sizeBytes).toBe(0);
  }),
];
