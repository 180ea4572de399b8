import type { Proxy } from 'toxiproxy-node-client';

import type { Effect } from '../../history.js';
import type { Link } from '../../plan.js';
import type { World } from '../../world/world.js';
import type { Inject, Injection, Undo } from '../injection.js';
import { probedEffect } from './probed-effect.js';
import type { ToxicPlan } from './toxic-plan.js';

type Direction = 'upstream' | 'downstream';

const BOTH: readonly Direction[] = ['upstream', 'downstream'];

/** swallow: bytes vanish and the socket stays open, which nobody is told; reset: connections are cut, new ones too. */
export const cut: Inject<'cut'> = (world, { link, how, direction }, undoBy) => {
  const toxic: ToxicPlan =
    how === 'swallow'
      ? { type: 'timeout', attributes: { timeout: 0 } }
      : { type: 'reset_peer', attributes: { timeout: 0 } };
  return addToxics(world, link, { directions: direction === 'both' ? BOTH : [direction], toxics: [toxic] }, undoBy);
};

export const slow: Inject<'slow'> = (world, { link, latencyMs, jitterMs, kilobytesPerSecond }, undoBy) => {
  const latency: ToxicPlan = { type: 'latency', attributes: { latency: latencyMs, jitter: jitterMs } };
  const bandwidth: ToxicPlan[] =
    kilobytesPerSecond === null ? [] : [{ type: 'bandwidth', attributes: { rate: kilobytesPerSecond } }];
  return addToxics(world, link, { directions: BOTH, toxics: [latency, ...bandwidth] }, undoBy);
};

export const slice: Inject<'slice'> = (world, { link }, undoBy) => {
  const slicer: ToxicPlan = { type: 'slicer', attributes: { average_size: 64, size_variation: 32, delay: 100 } };
  return addToxics(world, link, { directions: BOTH, toxics: [slicer] }, undoBy);
};

interface ToAdd {
  readonly directions: readonly Direction[];
  /** In each of them. */
  readonly toxics: readonly ToxicPlan[];
}

async function addToxics(
  { proxies }: World,
  link: Link,
  { directions, toxics }: ToAdd,
  undoBy: (undo: Undo) => void,
): Promise<Injection> {
  if (proxies === null) throw new Error(`${link} runs without a proxy in this scenario`);
  const counted = await proxies.effects(link);
  const probed = counted === null ? await proxies.probe(link) : null;
  const proxy = await proxies.proxy(link);
  const toAdd = directions.flatMap((stream) =>
    toxics.map((toxic) => ({ ...toxic, stream, name: `${toxic.type}-${stream}` })),
  );
  const remove = (): Promise<void> =>
    removeToxics(
      proxy,
      toAdd.map(({ name }) => name),
    );
  undoBy(remove);
  for (const toxic of toAdd) await proxy.addToxic({ ...toxic, toxicity: 1 });
  const seen = probed === null ? {} : probedEffect(probed, await proxies.probe(link), toxics);
  return {
    heal: async () => {
      // Before they go: the removal of one that swallows closes every connection, and counts that, though nothing was swallowed.
      const done = counted === null ? seen : difference(counted, (await proxies.effects(link)) ?? {});
      await remove();
      return done;
    },
  };
}

/** Those of them that are there. */
async function removeToxics(proxy: Proxy, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const toxic = await proxy.getToxic(name).catch(unlessMissing);
    await toxic?.remove().catch(unlessMissing);
  }
}

function unlessMissing(error: unknown): null {
  if (String(error).includes('status code 404')) return null;
  throw error;
}

const difference = (before: Effect, after: Effect): Effect =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
