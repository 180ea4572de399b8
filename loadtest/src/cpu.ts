import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second for whoever reads /proc. */
const TICKS_PER_SECOND = 100;

export interface Watched {
  readonly name: string;
  /** Asked at each look: a process that was restarted has another. */
  readonly pid: () => number | undefined;
}

export interface CpuSample {
  readonly atMs: number;
  /** Processor seconds used so far, by process. */
  readonly seconds: ReadonlyMap<string, number>;
}

/** Processor seconds of a process from its `/proc/<pid>/stat`: the name is in brackets and may hold blanks itself. */
export function cpuSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Processes that cannot be read (no /proc, or gone) are left out. */
export function sampleCpu(processes: readonly Watched[], atMs: number): CpuSample {
  const seconds = new Map<string, number>();
  for (const { name, pid } of processes) {
    const stat = statOf(pid());
    if (stat !== null) seconds.set(name, cpuSeconds(stat));
  }
  return { atMs, seconds };
}

/** Cores that each process used between two samples. */
export function coresBetween(from: CpuSample, to: CpuSample): Map<string, number> {
  const passedS = (to.atMs - from.atMs) / 1000;
  const cores = new Map<string, number>();
  for (const [name, until] of to.seconds) {
    const before = from.seconds.get(name);
    if (before !== undefined && passedS > 0) cores.set(name, Math.max(0, until - before) / passedS);
  }
  return cores;
}

function statOf(pid: number | undefined): string | null {
  try {
    return pid === undefined ? null : readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  } catch {
    return null;
  }
}
