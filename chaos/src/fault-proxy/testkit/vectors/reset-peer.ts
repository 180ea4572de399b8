import { quiet } from '../eventually.js';
import { Watch } from '../watch.js';
import { pairWith } from './pair-with.js';
import { vector, type Vector } from './vector.js';

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
