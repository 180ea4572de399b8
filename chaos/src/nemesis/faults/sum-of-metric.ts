import { sumOf } from '../../measure/metrics-page.js';
import type { World } from '../../world/world.js';

const ANSWER_MS = 2_000;

/** Over all processes of ours that answer in time: what they have met. One that was restarted has begun again at 0. */
export async function sumOfMetric(world: World, metric: string, ...labels: readonly string[]): Promise<number> {
  const pages = [...world.services.values()].map(async ({ url }) => {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return sumOf(await answer.text(), metric, ...labels);
  });
  const sums = await Promise.allSettled(pages);
  return sums.reduce((total, one) => total + (one.status === 'fulfilled' ? one.value : 0), 0);
}
