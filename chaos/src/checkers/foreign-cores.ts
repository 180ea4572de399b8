import type { RunFacts } from '../facts.js';
import { phaseAt } from './fault-windows.js';

/** What others may use of the machine before a run says little about speed. */
export const FOREIGN_CORES = 0.3;

/** Cores that neither the servers nor our processes used, on average over the load; null when nobody looked. */
export function foreignCores({ samples, history }: RunFacts): number | null {
  const fromMs = phaseAt(history, 'load') ?? 0;
  const toMs = phaseAt(history, 'healing') ?? Infinity;
  const seen = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  if (seen.length === 0) return null;
  return seen.reduce((total, sample) => total + sample.foreignCores, 0) / seen.length;
}
