import type { WorkloadKind } from './asked-orders.js';
import { stagedArrivals, warmedUpArrivals, type Arrivals, type Stage } from './arrivals.js';
import type { GeneratorOptions, LoadSummary, Progress } from './generator.js';

/** What the process is told, as JSON in its first argument. */
export interface LoadSettings extends Pick<
  GeneratorOptions,
  'url' | 'moreUrls' | 'rate' | 'warmUpSeconds' | 'seconds' | 'quiet'
> {
  readonly seed: number;
  /** The rate rises and falls, from `rate` on; default: it is reached over the warm-up, and stays. Together they last `warmUpSeconds` and `seconds`. */
  readonly stages?: readonly Stage[];
  /** Orders are keyed `<run>-<index>`. */
  readonly run: string;
  readonly firstProductId: number;
  readonly connections?: number;
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** Default powers. */
  readonly workload?: WorkloadKind;
  /** Where to write a line for each order that ended: `index outcome atMs latencyMs`. */
  readonly answersFile?: string;
}

/**
 * What the process writes on its standard output, one JSON text a line: when order 0 was due, ms since 1970; progress
 * four times a second; the summary last.
 */
export type LoadLine =
  Readonly<{ startedAt: number }> | Readonly<{ progress: Progress }> | Readonly<{ summary: LoadSummary }>;

type Planned = Pick<LoadSettings, 'rate' | 'warmUpSeconds' | 'seconds' | 'stages'>;

export const arrivalsOf = ({ rate, warmUpSeconds, seconds, stages }: Planned): Arrivals =>
  stages === undefined ? warmedUpArrivals(rate, warmUpSeconds, seconds) : stagedArrivals(rate, stages);

export const plannedOrders = (planned: Planned): number => arrivalsOf(planned).count;

export const keyOf = (run: string, index: number): string => `${run}-${String(index)}`;

/** The order that a key names, or null for somebody else's. */
export function indexOfKey(run: string, key: string | null): number | null {
  if (key?.startsWith(`${run}-`) !== true) return null;
  const index = Number(key.slice(run.length + 1));
  return Number.isInteger(index) && index >= 0 ? index : null;
}
