import { cpus } from 'node:os';

export interface MachineCpu {
  readonly atMs: number;
  readonly busyMs: number;
}

/** How many cores the whole machine used since the look before; null at the first look. */
export function busyCores(before: MachineCpu | null): { readonly cores: number | null; readonly now: MachineCpu } {
  const busyMs = cpus().reduce((total, { times }) => total + times.user + times.nice + times.sys + times.irq, 0);
  const now = { atMs: performance.now(), busyMs };
  const passedMs = before === null ? 0 : now.atMs - before.atMs;
  return { cores: before === null || passedMs <= 0 ? null : (busyMs - before.busyMs) / passedMs, now };
}
