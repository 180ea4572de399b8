import { noEffects } from '../effects.js';
import type { Proxy } from '../proxy.js';
import type { Toxic } from '../toxics/toxic.js';

/**
 * GET /proxies/{name}/effects, which the original does not have. The numbers at the top only rise, so the difference of
 * two answers is what happened between them: connections of the proxy, and the sums over all its toxics, gone ones too.
 */
export function effectsView(proxy: Proxy, seed: number): object {
  const { counts, connections, toxics } = proxy;
  const { connections: hits, spared, bytes, ...done } = sum([...toxics.removed, ...toxics.all]);
  return {
    connections: counts.accepted,
    unreachable: counts.unreachable,
    cut: counts.cut,
    upstreamBytes: counts.upstream.receivedBytes,
    downstreamBytes: counts.downstream.receivedBytes,
    toxicHits: hits,
    toxicSpared: spared,
    toxicBytes: bytes,
    ...done,
    now: { seed, open: connections.size },
    traffic: { upstream: counts.upstream, downstream: counts.downstream },
    toxics: toxics.all.map((toxic) => toxicEffects(toxic, false)),
    removed: toxics.removed.map((toxic) => toxicEffects(toxic, true)),
  };
}

const toxicEffects = ({ name, type, stream, effects }: Toxic, removed: boolean): object => ({
  name,
  type,
  stream,
  removed,
  ...effects,
});

function sum(toxics: readonly Toxic[]): ReturnType<typeof noEffects> {
  const total = noEffects();
  for (const { effects } of toxics) {
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += effects[key];
  }
  return total;
}
