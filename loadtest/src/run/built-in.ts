import { startLoad } from '../load-process.js';
import type { Progress } from '../generator.js';
import { plannedOrders, type LoadSettings } from '../settings.js';
import { createWorkload } from '../workload.js';
import { countBooks } from './count-books.js';
import type { Measured, Profile } from './shared.js';
import { Shelf } from './shelf.js';

/** How often an order of unknown outcome is repeated with its key. */
const REPEATS = 5;

export interface BuiltInOptions {
  readonly profile: Profile;
  readonly url: string;
  readonly inventoryUrl: string;
  readonly onProgress: (progress: Progress) => void;
}

/** The profile by our own generator: what it cannot send in time it sends late, so nothing is dropped. */
export async function runBuiltIn({ profile, url, inventoryUrl, onProgress }: BuiltInOptions): Promise<Measured> {
  // As far apart as microseconds: runs of a year do not share a product.
  const firstProductId = Date.now() * 1_000;
  const settings = loadSettings(profile, url, firstProductId);
  const orderCount = plannedOrders(settings);
  const workload = createWorkload({ seed: settings.seed, orderCount, firstProductId });
  await using shelf = new Shelf(inventoryUrl, workload.productIds);
  await shelf.fill();
  const { attempted, ok, fail, info, latencyMs } = await startLoad(settings, onProgress).summary;
  const books = await countBooks({ workload, stock: () => shelf.stock(), accepted: ok });
  return { tool: 'built-in', url, attempted, ok, refused: fail, unknown: info, dropped: 0, latencyMs, books };
}

function loadSettings(profile: Profile, url: string, firstProductId: number): LoadSettings {
  const { startRate, stages, warmUpSeconds } = profile;
  const inAllSeconds = stages.reduce((sum, { seconds }) => sum + seconds, 0);
  return {
    url,
    rate: startRate,
    stages,
    warmUpSeconds,
    seconds: inAllSeconds - warmUpSeconds,
    seed: 1,
    run: `load-${String(firstProductId)}`,
    firstProductId,
    retries: REPEATS,
  };
}
