const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const count = (value: number | bigint): string => grouped.format(value);

/** To three digits or so: 4.2 ms, 120 ms, 2.5 s. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
}

export const cores = (value: number): string => value.toFixed(2);
