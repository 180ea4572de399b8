import type { WorkloadKind } from './asked-orders.js';
import type { GeneratorOptions, LoadSummary, Progress } from './generator.js';

/** What the process is told, as JSON in its first argument. */
export interface LoadSettings extends Pick<GeneratorOptions, 'url' | 'rate' | 'warmUpSeconds' | 'seconds' | 'quiet'> {
  readonly seed: number;
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

export const plannedOrders = ({
  rate,
  warmUpSeconds,
  seconds,
}: Pick<LoadSettings, 'rate' | 'warmUpSeconds' | 'seconds'>): number => Math.round(rate * (warmUpSeconds + seconds));

export const keyOf = (run: string, index: number): string => `${run}-${String(index)}`;

/** The order that a key names, or null for somebody else's. */
export function indexOfKey(run: string, key: string | null): number | null {
  if (key?.startsWith(`${run}-`) !== true) return null;
  const index = Number(key.slice(run.length + 1));
  return Number.isInteger(index) && index >= 0 ? index : null;
}
