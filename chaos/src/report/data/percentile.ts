/** Nearest rank; null when there is nothing to rank. */
export function percentile(sorted: ArrayLike<number>, rank: number): number | null {
  return sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)] ?? null;
}
