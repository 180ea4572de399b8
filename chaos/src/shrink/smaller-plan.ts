import type { Plan, PlannedFault } from '../plan.js';
import type { Verdict } from '../verdict.js';

/** The plan with some of its faults; it no longer asks for cells of the matrix that only the others could hit. */
export function planWith(plan: Plan, faults: readonly PlannedFault[]): Plan {
  const kinds = (some: readonly PlannedFault[]): Set<string> => new Set(some.map(({ fault }) => fault.kind));
  const [before, kept] = [kinds(plan.faults), kinds(faults)];
  const canBeHit = (cell: string): boolean => {
    const kind = cell.split(' × ')[1] ?? '';
    return kept.has(kind) || !before.has(kind);
  };
  return { ...plan, faults, requiredCells: plan.requiredCells.filter(canBeHit) };
}

export const brokenIn = ({ invariants }: Pick<Verdict, 'invariants'>): string[] =>
  invariants.filter(({ holds }) => holds === false).map(({ id }) => id);

/** One failure breaks several invariants, and not each time all of them: one in common is the same failure. */
export const failsAlike = (verdict: Verdict, broken: readonly string[]): boolean =>
  verdict.verdict === 'invalid' && brokenIn(verdict).some((id) => broken.includes(id));
