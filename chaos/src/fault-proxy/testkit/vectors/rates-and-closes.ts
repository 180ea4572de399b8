import { quiet } from '../eventually.js';
import { Watch } from '../watch.js';
import { vector, type Vector } from './vector.js';

/** B1–B3, S1 and S2. */
export const RATES_AND_CLOSES: readonly Vector[] = [
  vector('B1', 'when 480 000 bytes meet 1000 KB/s, then they take 480 ms', async (bench) => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    await bench.toxic(proxy, { type: 'bandwidth', stream: 'upstream', attributes: { rate: 1000 } });
    const { client, server } = await bench.pair(proxy, upstream);
    const watch = new Watch();
    client.send(Buffer.alloc(480_000, 'x'));
    await server.has(480_000);
    watch.expect(480);
  }),
  vector('B2', 'when the rate is 0, then all is held, and comes when the toxic goes', async (bench) => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    const path = await bench.toxic(proxy, { type: 'bandwidth', stream: 'upstream', attributes: { rate: 0 } });
    const { client, server } = await bench.pair(proxy, upstream);
    const sent = Buffer.alloc(300_000, '0123456789');
    client.send(sent);
    await quiet(1000);
    expect(server.sizeBytes).toBe(0);
    await bench.remove(path);
    await server.has(sent.length);
    expect(server.received.equals(sent)).toBe(true);
  }),
  vector('B3', 'when a toxic is removed while nobody reads, then the call is answered', async (bench) => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    const path = await bench.toxic(proxy, { type: 'bandwidth', stream: 'upstream', attributes: { rate: 100_000 } });
    const { client, server } = await bench.pair(proxy, upstream);
    server.socket.pause();
    client.send(Buffer.alloc(30_000_000));
    await quiet(300);
    const watch = new Watch();
    const answered = bench.call('DELETE', path);
    // The original waits for whoever does not read (#558).
    if (bench.isOurs) {
      await answered;
      watch.expectSooner(1000);
    } else {
      await quiet(1000);
      server.socket.resume();
      await answered;
    }
  }),
  vector('S1', 'when closing is slow, then the end is late and the data is not', async (bench) => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    await bench.toxic(proxy, { type: 'slow_close', stream: 'upstream', attributes: { delay: 300 } });
    const { client, server } = await bench.pair(proxy, upstream);
    const watch = new Watch();
    client.send('last words');
    client.finish();
    expect(await server.has(10)).toBe('last words');
    expect(server.end).toBeUndefined();
    await server.ended;
    watch.expect(300, server.endedAtMs);
  }),
  vector('S2', 'when slow closing is removed during the wait, then it closes at once', async (bench) => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    const path = await bench.toxic(proxy, { type: 'slow_close', stream: 'upstream', attributes: { delay: 20_000 } });
    const { client, server } = await bench.pair(proxy, upstream);
    client.finish();
    await quiet(50);
    expect(server.end).toBeUndefined();
    const watch = new Watch();
    await bench.remove(path);
    await server.ended;
    watch.expectSooner(1000);
  }),
];
