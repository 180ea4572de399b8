import { quiet } from '../eventually.js';
import { Watch } from '../watch.js';
import { pairWith } from './pair-with.js';
import { vector, type Vector } from './vector.js';

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
