import type { Bench } from '../bench.js';

export async function pairWith(bench: Bench, type: string, attributes: Record<string, number>, toxicity = 1) {
  const upstream = await bench.upstream('sink');
  const proxy = await bench.proxy(upstream);
  const path = await bench.toxic(proxy, { type, stream: 'upstream', toxicity, attributes });
  return { upstream, proxy, path, ...(await bench.pair(proxy, upstream)) };
}
