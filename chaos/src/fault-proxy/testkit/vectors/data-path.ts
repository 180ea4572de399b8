import { once } from 'node:events';
import { connect } from 'node:net';
import type { Bench, ProxyHandle } from '../bench.js';
import { freePort } from '../server-under-test.js';
import { Watch } from '../watch.js';
import { vector, type Vector } from './vector.js';

const numbered = (count: number): Buffer => {
  const bytes = Buffer.alloc(count * 2);
  for (let index = 0; index < count; index++) bytes.writeUInt16BE(index, index * 2);
  return bytes;
};

/** D1–D5: no byte is lost, none overtakes another. */
export const DATA_PATH: readonly Vector[] = [
  vector('D1', 'when a client sends and closes, then the upstream gets every byte and then the end', async (bench) => {
    const upstream = await bench.upstream('sink');
    const { client, server } = await bench.pair(await bench.proxy(upstream), upstream);
    const sent = numbered(32_768);
    client.send(sent);
    client.send('two ');
    client.send('parts');
    client.finish();
    expect(await server.ended).toBe('fin');
    expect(server.received.equals(Buffer.concat([sent, Buffer.from('two parts')]))).toBe(true);
  }),
  vector('D2', 'when the upstream is down, then a client connects and sees the end', async (bench) => {
    const proxy = await bench.proxy({ address: `127.0.0.1:${await freePort()}` });
    const watch = new Watch();
    const client = await bench.connect(proxy);
    expect(await client.ended).toBe('fin');
    watch.expectSooner(500);
  }),
  vector('D3', 'when it is stopped three times, then nothing goes wrong', async (bench) => {
    const proxy = await bench.proxy(await bench.upstream('echo'));
    for (const enabled of [false, false, false, true]) await bench.change(proxy.path, { enabled });
  }),
  vector('D4', 'when toxics come and go under traffic, then nothing is lost or reordered', async (bench) => {
    const upstream = await bench.upstream('echo');
    const proxy = await bench.proxy(upstream);
    const client = await bench.connect(proxy);
    const sent = numbered(65_535);
    const changing = (async () => {
      for (let round = 0; client.sizeBytes < sent.length; round++) {
        const latency = { type: 'latency', attributes: { latency: 2, jitter: 2 } } as const;
        const toxic = round % 2 === 0 ? latency : ({ type: 'noop', stream: 'upstream' } as const);
        const path = await bench.toxic(proxy, toxic);
        await bench.remove(path);
      }
    })();
    for (let index = 0; index < sent.length; index += 2) {
      const hasRoom = client.socket.write(sent.subarray(index, index + 2));
      // By pieces, so that toxics change in between.
      if (!hasRoom || index % 2_000 === 0) await client.has(Math.max(0, index - 20_000));
    }
    await client.has(sent.length);
    await changing;
    expect(client.received.equals(sent)).toBe(true);
  }),
  vector('D5', 'when a thousand connections meet a toxic of their own, then the server lives', async (bench) => {
    const upstream = await bench.upstream('echo');
    const proxy = await bench.proxy(upstream);
    const lane = async (name: string) => {
      for (let round = 0; round < 100; round++) await meetAndPart(bench, proxy, name);
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => lane(`lane${index}`)));
    expect(bench.server.isAlive()).toBe(true);
    expect((await bench.call('GET', proxy.path)).json).toMatchObject({ enabled: true, toxics: [] });
  }),
];

async function meetAndPart(bench: Bench, proxy: ProxyHandle, name: string): Promise<void> {
  const toxic = { type: 'latency', name, stream: 'upstream', attributes: { latency: 10 } } as const;
  const path = await bench.toxic(proxy, toxic);
  const socket = connect({ port: proxy.port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.end('hello');
  await bench.remove(path);
  socket.destroy();
}
