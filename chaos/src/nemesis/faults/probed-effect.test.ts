import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { Bench, type ProxyHandle } from '../../fault-proxy/testkit/bench.js';
import { probeLink, type Spoken } from '../../world/link-probe.js';
import { probedEffect } from './probed-effect.js';
import type { ToxicPlan } from './toxic-plan.js';

const ANSWER = 'x'.repeat(400);

/** What the servers say to whoever has not logged in. */
const SERVERS: Readonly<Record<Spoken, (socket: Socket) => void>> = {
  broker: (socket) => socket.once('data', () => socket.write(ANSWER)),
  database: (socket) => {
    socket.write(ANSWER);
    socket.once('data', () => socket.end(ANSWER));
  },
};

describe.each<Spoken>(['broker', 'database'])('a probe of a link to a %s', (spoken) => {
  let bench: Bench;
  let server: Server;
  let proxy: ProxyHandle;

  beforeAll(async () => {
    bench = await Bench.startOurs();
    server = createServer((socket) => SERVERS[spoken](socket.on('error', () => undefined)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(async () => {
    proxy = await bench.proxy({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  afterEach(() => bench.clear());
  afterAll(async () => {
    await bench.stop();
    server.close();
  });

  const probe = () => probeLink(`127.0.0.1:${proxy.port}`, spoken);

  async function effectOf(toxic: ToxicPlan, stream: 'upstream' | 'downstream') {
    const before = await probe();
    await bench.toxic(proxy, { ...toxic, stream });
    return probedEffect(before, await probe(), [toxic]);
  }

  describe.each(['upstream', 'downstream'] as const)('%s', (stream) => {
    it.each<[string, ToxicPlan, unknown]>([
      ['bytes are swallowed', { type: 'timeout', attributes: { timeout: 0 } }, { probesUnanswered: 1 }],
      ['connections are reset', { type: 'reset_peer', attributes: { timeout: 0 } }, { probesCut: 1 }],
      ['the line is slow', { type: 'latency', attributes: { latency: 300 } }, { probesDelayedMs: expect.any(Number) }],
      ['the line is wide enough', { type: 'bandwidth', attributes: { rate: 100_000 } }, {}],
    ])('when %s, then that is what it meets', async (_what, toxic, effect) => {
      expect(await effectOf(toxic, stream)).toEqual(effect);
    });
  });

  it('when what comes is sliced, then it comes in more pieces', async () => {
    const slicer: ToxicPlan = { type: 'slicer', attributes: { average_size: 64, size_variation: 32, delay: 10_000 } };
    expect(await effectOf(slicer, 'downstream')).toEqual({ probesMorePieces: expect.any(Number) });
  });

  it('when nobody is there, then it is cut, and what comes later proves nothing', async () => {
    await bench.change(proxy.path, { enabled: false });
    const met = await probe();
    expect(met).toMatchObject({ tookMs: null, isCut: true });
    expect(probedEffect(met, met, [])).toEqual({});
  });
});
