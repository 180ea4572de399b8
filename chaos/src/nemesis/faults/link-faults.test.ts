import { Toxiproxy } from 'toxiproxy-node-client';

import { hadEffect } from '../../checkers/had-effect.js';
import { Bench, type ProxyHandle } from '../../fault-proxy/testkit/bench.js';
import { effectsOf } from '../../fault-proxy/testkit/effects-of.js';
import { eventually } from '../../fault-proxy/testkit/eventually.js';
import { readEffects } from '../../world/fault-proxies.js';
import type { World } from '../../world/world.js';
import type { FaultOf } from '../injection.js';
import { cut } from './link-faults.js';

const CUT = { kind: 'cut', link: 'relay→broker', direction: 'upstream', forMs: 1_000 } as const;
const SWALLOW: FaultOf<'cut'> = { ...CUT, how: 'swallow' };
const RESET: FaultOf<'cut'> = { ...CUT, how: 'reset' };
const NOTHING_FAILS = (): void => undefined;

describe('what a cut of a line is measured to do', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.startOurs();
  });
  afterEach(() => bench.clear());
  afterAll(() => bench.stop());

  /** A world in which every link is this proxy. */
  function worldOf({ path }: ProxyHandle): World {
    const { url } = bench.server;
    const proxies = {
      proxy: () => new Toxiproxy(url).get(path.slice('/proxies/'.length)),
      effects: () => readEffects(`${url}${path}/effects`),
    };
    return { proxies } as unknown as World;
  }

  async function openLine() {
    const upstream = await bench.upstream('sink');
    const proxy = await bench.proxy(upstream);
    return { proxy, world: worldOf(proxy), ...(await bench.pair(proxy, upstream)) };
  }

  it('when nobody says anything while bytes are swallowed, then nothing was injected, though the connection ends with it', async () => {
    const { world, client } = await openLine();
    const effect = await (await cut(world, SWALLOW, NOTHING_FAILS)).heal();
    await client.ended;
    expect(effect).toMatchObject({ toxicHits: 1, droppedBytes: 0, closes: 0 });
    expect(hadEffect({ fault: SWALLOW, effect })).toBe(false);
  });

  it.each([
    ['bytes are swallowed', SWALLOW, 'droppedBytes'],
    ['a connection is reset', RESET, 'resets'],
  ] as const)(
    'when %s, then it was injected, and what says so is there before it is healed',
    async (_what, fault, name) => {
      const { world, client, proxy } = await openLine();
      const injection = await cut(world, fault, NOTHING_FAILS);
      client.send('into nothing');
      await eventually(
        async () => (await effectsOf(bench, proxy))[name] > 0,
        () => `${name} was never counted`,
      );
      const effect = await injection.heal();
      expect(effect[name]).toBeGreaterThan(0);
      expect(hadEffect({ fault, effect })).toBe(true);
    },
  );
});
