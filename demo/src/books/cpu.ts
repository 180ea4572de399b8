import type { RunFacts } from '@counterfoil/chaos';

export interface CpuUse {
  /** Cores, on average over the load, by process; the largest first. */
  readonly processes: readonly (readonly [name: string, cores: number])[];
  readonly inAll: number;
  /** What neither the servers nor our processes used. */
  readonly others: number;
}

/** null without a sample of the load. */
export function cpuUse({ samples, history }: Pick<RunFacts, 'samples' | 'history'>): CpuUse | null {
  const endMs = history.find((record) => record.kind === 'phase' && record.name === 'healing')?.atMs ?? Infinity;
  const during = samples.filter(({ atMs }) => atMs <= endMs);
  if (during.length === 0) return null;
  const mean = (of: (sample: (typeof during)[number]) => number): number =>
    during.reduce((total, sample) => total + of(sample), 0) / during.length;
  const names = [...new Set(during.flatMap(({ cores }) => Object.keys(cores)))];
  const processes = names
    .map((name) => [name, mean(({ cores }) => cores[name] ?? 0)] as const)
    .sort(([, one], [, other]) => other - one);
  return {
    processes,
    inAll: processes.reduce((total, [, cores]) => total + cores, 0),
    others: mean(({ foreignCores }) => foreignCores),
  };
}
