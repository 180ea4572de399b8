import { Bench, type ToxicBody } from '../testkit/bench.js';
import { effectsOf } from '../testkit/effects-of.js';
import { eventually, quiet } from '../testkit/eventually.js';
import { Watch } from '../testkit/watch.js';

const upstreamToxic = (type: string, attributes: ToxicBody['attributes'] = {}, name = type) =>
  ({ type, name, stream: 'upstream', attributes }) as const;

describe('what is on its way stays in order and within bounds', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.startOurs();
  });
  afterEach(() => bench.clear());
  afterAll(() => bench.stop());

  it.each([
    ['no toxic', undefined],
    ['a rate', upstreamToxic('bandwidth', { rate: 0 })],
    ['a slicer that rests', upstreamToxic('slicer', { average_size: 10, size_variation: 2, delay: 1_000_000 })],
  ])('when nobody reads behind %s, then the sender is held up', async (_, toxic) => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    if (toxic) await bench.toxic(proxy, toxic);
    const { client, server } = await bench.pair(proxy, upstream);
    server.socket.pause();
    const sentBytes = 40_000_000;
    client.send(Buffer.alloc(sentBytes));
    let before = -1;
    // Until it reads no more.
    await eventually(
      async () => {
        const last = before;
        before = (await effectsOf(bench, proxy)).upstreamBytes;
        await quiet(50);
        return before === last;
      },
      () => 'it reads on and on',
    );
    expect(before).toBeLessThan(sentBytes / 2);
  });

  it('when the middle one of three toxics is removed, then all bytes come in order', async () => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    await bench.toxic(proxy, upstreamToxic('latency', { latency: 20, jitter: 10 }));
    const middle = await bench.toxic(proxy, upstreamToxic('bandwidth', { rate: 0 }));
    await bench.toxic(proxy, upstreamToxic('slicer', { average_size: 3, size_variation: 1 }));
    const { client, server } = await bench.pair(proxy, upstream);
    for (const part of ['one ', 'two ', 'three ']) {
      client.send(part);
      await quiet(30);
    }
    await bench.remove(middle);
    client.send('four');
    expect(await server.has(18)).toBe('one two three four');
  });

  it('when a long latency is made short, then the first chunk comes at once and the rest soon', async () => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    const path = await bench.toxic(proxy, upstreamToxic('latency', { latency: 60_000 }));
    const { client, server } = await bench.pair(proxy, upstream);
    client.send('first ');
    await quiet(50);
    client.send('second');
    await quiet(50);
    const watch = new Watch();
    await bench.change(path, { attributes: { latency: 100 } });
    expect(await server.has(12)).toBe('first second');
    watch.expectSooner(1000);
  });

  it('when an end is held and the toxic is updated, then the end still comes after the bytes', async () => {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    const path = await bench.toxic(proxy, upstreamToxic('latency', { latency: 60_000 }));
    const { client, server } = await bench.pair(proxy, upstream);
    client.send('last words');
    client.finish();
    await quiet(50);
    expect([server.sizeBytes, server.end]).toEqual([0, undefined]);
    await bench.change(path, { attributes: { latency: 1 } });
    expect(await server.ended).toBe('fin');
    expect(server.text).toBe('last words');
  });
});
