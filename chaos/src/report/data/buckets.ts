/** A run's time cut into pieces of the same length, few enough to draw and to keep: never one point per order. */
export interface Buckets {
  readonly widthMs: number;
  readonly count: number;
}

export const MOST_POINTS = 240;
const FEWEST_POINTS = 20;
const FEWEST_ITEMS = 20;
const WIDTHS_MS = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/** @param items a bucket is wide enough to hold some of them, or it would show how they fell and not how many */
export function bucketsFor(lengthMs: number, items: number): Buckets {
  const narrowestMs = Math.min((lengthMs * FEWEST_ITEMS) / Math.max(1, items), lengthMs / FEWEST_POINTS);
  const widthMs =
    WIDTHS_MS.find((width) => width >= narrowestMs && lengthMs / width <= MOST_POINTS) ??
    Math.ceil(lengthMs / MOST_POINTS);
  return { widthMs, count: Math.max(1, Math.ceil(lengthMs / widthMs)) };
}

export const bucketAt = ({ widthMs, count }: Buckets, atMs: number): number =>
  Math.min(count - 1, Math.max(0, Math.floor(atMs / widthMs)));

/** The middle of each, ms. */
export const middles = ({ widthMs, count }: Buckets): number[] =>
  Array.from({ length: count }, (_, index) => (index + 0.5) * widthMs);
