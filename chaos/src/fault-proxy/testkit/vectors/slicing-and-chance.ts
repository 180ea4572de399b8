import { Bench } from '../bench.js';
import { eventually } from '../eventually.js';
import { vector, type Vector } from './vector.js';

const CONNECTIONS = 400;

/** Which of the connections are hit; one after the other, so that they have the same numbers each time. */
async function hits(bench: Bench): Promise<readonly boolean[]> {
  const upstream = await bench.upstream('echo');
  const proxy = await bench.proxy(upstream);
  await bench.toxic(proxy, { type: 'limit_data', toxicity: 0.5, attributes: { bytes: 0 } });
  const hit: boolean[] = [];
  for (let index = 0; index < CONNECTIONS; index++) {
    const { client } = await bench.pair(proxy, upstream);
    client.send('x');
    await eventually(
      () => client.end !== undefined || client.sizeBytes > 0,
      () => `connection ${index} got neither answer nor end`,
    );
    hit.push(client.sizeBytes === 0);
    client.socket.destroy();
  }
  return hit;
}

async function sliced(bench: Bench, bytes: number, attributes: Record<string, number>) {
  const upstream = await bench.upstream('sink');
  const proxy = await bench.proxy(upstream);
  const sent = Buffer.alloc(bytes, '0123456789');
  await bench.toxic(proxy, { type: 'slicer', stream: 'upstream', attributes });
  const { client, server } = await bench.pair(proxy, upstream);
  client.send(sent);
  await server.has(bytes);
  expect(server.received.equals(sent)).toBe(true);
  if (!bench.isOurs) return server.reads.length;
  // Reads may have got several at once; ours counts what it has cut.
  return (await bench.call('GET', `${proxy.path}/effects`)).json.pieces;
}

/** C1–C3. */
export const SLICER: readonly Vector[] = [
  vector('C1', 'when 480 000 bytes are sliced by 1024 ± 512, then there are 240 to 720 pieces', async (bench) => {
    const pieces = await sliced(bench, 480_000, { average_size: 1024, size_variation: 512, delay: 10 });
    expect(pieces).toBeLessThanOrEqual(720);
    expect(pieces).toBeGreaterThanOrEqual(bench.isOurs ? 240 : 1);
  }),
  vector('C2', 'when 24 bytes are sliced one by one, then there are 24 pieces', async (bench) => {
    const pieces = await sliced(bench, 24, { average_size: 1, size_variation: 0, delay: 2000 });
    expect(pieces).toBe(24);
  }),
  vector('C3', 'when it would cut into nothing, then it is refused; the original dies of it', async (bench) => {
    if (!bench.isOurs) return diesOfDefaults();
    const proxy = await bench.proxy(await bench.upstream('sink'));
    const slicer = (attributes: object) => bench.call('POST', `${proxy.path}/toxics`, { type: 'slicer', attributes });
    const refused = [{}, { average_size: 0 }, { average_size: 5, size_variation: 5 }, { average_size: -1 }];
    for (const attributes of refused) expect((await slicer(attributes)).status).toBe(400);
    const rate = await bench.call('POST', `${proxy.path}/toxics`, { type: 'bandwidth', attributes: { rate: -1 } });
    expect([rate.status, rate.json.error]).toEqual([400, 'bad request body: rate is not a whole number of 0 or more']);
  }),
];

async function diesOfDefaults(): Promise<void> {
  const bench = await Bench.start();
  const upstream = await bench.upstream('sink');
  const proxy = await bench.proxy(upstream);
  await bench.toxic(proxy, { type: 'slicer', stream: 'upstream' });
  (await bench.connect(proxy)).send('x');
  await eventually(
    () => !bench.server.isAlive(),
    () => 'it lives',
  );
  await bench.stop();
}

/** X1–X3. */
export const CHANCE_AND_COUNTS: readonly Vector[] = [
  vector('X1', 'when toxicity is 0.5, then half are hit, and with the same seed the same ones', async (bench) => {
    const [first, second] = [await Bench.start(7), await Bench.start(7)];
    const [once, again] = [await hits(first), await hits(second)];
    await Promise.all([first.stop(), second.stop()]);
    // The original's seed has had no effect since 2.9.0.
    if (bench.isOurs) expect(again).toEqual(once);
    const share = once.filter(Boolean).length / CONNECTIONS;
    expect([share > 0.4, share < 0.6]).toEqual([true, true]);
  }),
  vector('X2', 'when five bytes went there and back, then the metrics say so', async (bench) => {
    const upstream = await bench.upstream('echo');
    const proxy = await bench.proxy(upstream);
    const { client } = await bench.pair(proxy, upstream);
    client.send('hello');
    await client.has(5);
    client.finish();
    await client.ended;
    const name = proxy.path.slice('/proxies/'.length);
    const samples = async () =>
      (await bench.call('GET', '/metrics')).text
        .split('\n')
        .filter((line) => line.includes(`proxy="${name}"`) && line.endsWith(' 5'));
    await eventually(
      async () => (await samples()).length === 4,
      () => 'the metrics do not show 5 bytes received and sent in both directions',
    );
    expect((await samples()).join()).toMatch(/direction="upstream".*direction="upstream"/s);
  }),
  vector('X3', 'when a client only stops sending, then it is answered; the original cuts it off', async (bench) => {
    const upstream = await bench.upstream('sink');
    const { client, server } = await bench.pair(await bench.proxy(upstream), upstream);
    client.send('question');
    client.finish();
    await server.ended;
    server.send('answer');
    server.finish();
    await client.ended;
    expect(client.text).toBe(bench.isOurs ? 'answer' : '');
  }),
];
