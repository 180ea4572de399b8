import type { Toxic } from 'toxiproxy-node-client';

import type { Effect } from '../../history.js';
import type { Link } from '../../plan.js';
import type { World } from '../../world/world.js';
import type { Inject, Injection } from '../injection.js';
import { probedEffect } from './probed-effect.js';
import type { ToxicPlan } from './toxic-plan.js';

type Direction = 'upstream' | 'downstream';

const BOTH: readonly Direction[] = ['upstream', 'downstream'];

/** swallow: bytes vanish and the socket stays open, which nobody is told; reset: connections are cut, new ones too. */
export const cut: Inject<'cut'> = (world, { link, how, direction }) => {
  const toxic: ToxicPlan =
    how === 'swallow'
      ? { type: 'timeout', attributes: { timeout: 0 } }
      : { type: 'reset_peer', attributes: { timeout: 0 } };
  return addToxics(world, link, direction === 'both' ? BOTH : [direction], [toxic]);
};

export const slow: Inject<'slow'> = (world, { link, latencyMs, jitterMs, kilobytesPerSecond }) => {
  const latency: ToxicPlan = { type: 'latency', attributes: { latency: latencyMs, jitter: jitterMs } };
  const bandwidth: ToxicPlan[] =
    kilobytesPerSecond === null ? [] : [{ type: 'bandwidth', attributes: { rate: kilobytesPerSecond } }];
  return addToxics(world, link, BOTH, [latency, ...bandwidth]);
};

export const slice: Inject<'slice'> = (world, { link }) =>
  addToxics(world, link, BOTH, [{ type: 'slicer', attributes: { average_size: 64, size_variation: 32, delay: 100 } }]);

async function addToxics(
  world: World,
  link: Link,
  directions: readonly Direction[],
  toxics: readonly ToxicPlan[],
): Promise<Injection> {
  const { proxies } = world;
  if (proxies === null) throw new Error(`${link} runs without a proxy in this scenario`);
  const counted = await proxies.effects(link);
  const probed = counted === null ? await proxies.probe(link) : null;
  const proxy = await proxies.proxy(link);
  const added: Toxic<unknown>[] = [];
  for (const stream of directions) {
    for (const { type, attributes } of toxics) {
      added.push(await proxy.addToxic({ name: `${type}-${stream}`, type, stream, toxicity: 1, attributes }));
    }
  }
  const seen = probed === null ? {} : probedEffect(probed, await proxies.probe(link), toxics);
  return {
    heal: async () => {
      // Before they go: the removal of one that swallows closes every connection, and counts that, though nothing was swallowed.
      const done = counted === null ? seen : difference(counted, (await proxies.effects(link)) ?? {});
      for (const toxic of added) await toxic.remove();
      return done;
    },
  };
}

const difference = (before: Effect, after: Effect): Effect =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
