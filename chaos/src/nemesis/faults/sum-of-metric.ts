import { sumOf } from '../../measure/metrics-page.js';
import { readPages } from '../../measure/read-pages.js';
import type { World } from '../../world/world.js';

const ANSWER_MS = 2_000;

/** Over all processes of ours that answer in time: what they have met. One that was restarted has begun again at 0. */
export async function sumOfMetric({ services }: World, metric: string): Promise<number> {
  const pages = await readPages(services.values(), ANSWER_MS);
  return [...pages.values()].reduce((total, page) => total + sumOf(page, metric), 0);
}

/** @returns asks by how much the sum has risen since then */
export async function riseOfMetric(world: World, metric: string): Promise<() => Promise<number>> {
  const before = await sumOfMetric(world, metric);
  return async () => Math.max(0, (await sumOfMetric(world, metric)) - before);
}
