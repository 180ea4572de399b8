import { Bench } from './testkit/bench.js';
import { effectsOf } from './testkit/effects-of.js';
import { eventually } from './testkit/eventually.js';
import { freePort } from './testkit/server-under-test.js';

describe('the proxy tells what a toxic has really done', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.startOurs();
  });
  afterEach(() => bench.clear());
  afterAll(() => bench.stop());

  it('when bytes are dropped and the connection closed, then both are counted, also after the removal', async () => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    const { client, server } = await bench.pair(proxy, upstream);
    const path = await bench.toxic(proxy, { type: 'timeout', stream: 'upstream' });
    client.send('swallowed');
    await eventually(
      async () => (await effectsOf(bench, proxy)).droppedBytes === 9,
      () => 'the dropped bytes are not counted',
    );
    await bench.remove(path);
    await Promise.all([client.ended, server.ended]);
    const effects = await effectsOf(bench, proxy);
    expect(effects).toMatchObject({ toxicHits: 1, closes: 1, droppedBytes: 9, upstreamBytes: 9, toxics: [] });
    expect(effects.removed).toMatchObject([{ name: 'timeout_upstream', connections: 1, bytes: 9, droppedBytes: 9 }]);
  });

  it('when a toxic finds nothing to act on, then its counts are 0', async () => {
    const proxy = await bench.proxy(await bench.upstream('sink'));
    await bench.toxic(proxy, { type: 'reset_peer' });
    const [toxic] = (await effectsOf(bench, proxy)).toxics;
    expect(toxic).toMatchObject({ connections: 0, spared: 0, chunks: 0, resets: 0 });
  });

  it('when connections are reset, spared or cut, then each is counted', async () => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    const [first] = [await bench.pair(proxy, upstream), await bench.pair(proxy, upstream)];
    await bench.toxic(proxy, { type: 'latency', stream: 'upstream', toxicity: 0, attributes: { latency: 9 } });
    await bench.toxic(proxy, { type: 'reset_peer', stream: 'upstream' });
    first.client.send('x');
    expect(await first.client.ended).toBe('reset');
    await eventually(
      async () => (await effectsOf(bench, proxy)).now.open === 1,
      () => 'the reset connection stays',
    );
    await bench.change(proxy.path, { enabled: false });
    const effects = await effectsOf(bench, proxy);
    expect(effects).toMatchObject({ connections: 2, cut: 1, resets: 1, toxicHits: 2, toxicSpared: 2 });
  });

  it('when bytes wait or the upstream is gone, then it is counted', async () => {
    const upstream = await bench.upstream('echo');
    const proxy = await bench.proxy(upstream);
    await bench.toxic(proxy, { type: 'latency', attributes: { latency: 20 } });
    const client = await bench.connect(proxy);
    client.send('x');
    await client.has(1);
    expect(await effectsOf(bench, proxy)).toMatchObject({ delayedChunks: 1, delayedMs: 20, downstreamBytes: 1 });
    const nowhere = await bench.proxy({ address: `127.0.0.1:${await freePort()}` });
    await (
      await bench.connect(nowhere)
    ).ended;
    expect((await effectsOf(bench, nowhere)).unreachable).toBe(1);
  });
});
