import type { Bench, ProxyHandle } from '../bench.js';
import type { Peer } from '../peer.js';

export interface ToxicPair {
  readonly proxy: ProxyHandle;
  /** Of the toxic, in the API. */
  readonly path: string;
  readonly client: Peer;
  readonly server: Peer;
}

/** A connection through a proxy with a toxic on what the client sends. */
export async function pairWith(
  bench: Bench,
  type: string,
  attributes: Readonly<Record<string, number>>,
  toxicity = 1,
): Promise<ToxicPair> {
  const upstream = await bench.upstream('sink');
  const proxy = await bench.proxy(upstream);
  const path = await bench.toxic(proxy, { type, stream: 'upstream', toxicity, attributes });
  return { proxy, path, ...(await bench.pair(proxy, upstream)) };
}
