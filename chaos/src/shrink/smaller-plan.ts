import { atItsStep } from '../checkers/cells.js';
import type { Plan, PlannedFault } from '../plan.js';
import type { Verdict } from '../verdict.js';

/** The plan with some of its faults; it no longer asks for cells of the matrix that only the others could hit. */
export function planWith(plan: Plan, faults: readonly PlannedFault[]): Plan {
  const canBeHit = (cell: string): boolean => {
    const canHit = hitterOf(cell, plan);
    return faults.some(canHit) || !plan.faults.some(canHit);
  };
  return { ...plan, faults, requiredCells: plan.requiredCells.filter(canBeHit) };
}

/** A step is met by a fail-point that is armed for it, where the plan has one; else by any fault of the kind. */
function hitterOf(cell: string, plan: Plan): (planned: PlannedFault) => boolean {
  const atStep = ({ fault }: PlannedFault): boolean => atItsStep(fault).includes(cell);
  const ofKind = ({ fault }: PlannedFault): boolean => cell.endsWith(` × ${fault.kind}`);
  return plan.faults.some(atStep) ? atStep : ofKind;
}

export const brokenIn = ({ invariants }: Pick<Verdict, 'invariants'>): string[] =>
  invariants.filter(({ holds }) => holds === false).map(({ id }) => id);

/** One failure breaks several invariants, and not each time all of them: one in common is the same failure. */
export const failsAlike = (verdict: Verdict, broken: readonly string[]): boolean =>
  verdict.verdict === 'invalid' && brokenIn(verdict).some((id) => broken.includes(id));
