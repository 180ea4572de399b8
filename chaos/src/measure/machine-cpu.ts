import { cpus, getPriority } from 'node:os';

export interface MachineCpu {
  readonly atMs: number;
  readonly busyMs: number;
}

/**
 * How many cores the machine used since the look before; null at the first look. Work of a lower priority than ours is left
 * out: the scheduler gives it what is left over. Unless we are niced ourselves, then it competes with us.
 */
export function busyCores(before: MachineCpu | null): { readonly cores: number | null; readonly now: MachineCpu } {
  const isNiced = getPriority() > 0;
  const busyMs = cpus().reduce(
    (total, { times }) => total + times.user + times.sys + times.irq + (isNiced ? times.nice : 0),
    0,
  );
  const now = { atMs: performance.now(), busyMs };
  const passedMs = before === null ? 0 : now.atMs - before.atMs;
  return { cores: before === null || passedMs <= 0 ? null : (busyMs - before.busyMs) / passedMs, now };
}
