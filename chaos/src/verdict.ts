import { CHECKERS } from './checkers/all-checkers.js';
import { untold } from './checkers/finding.js';
import type { Checker, Invariant, RunFacts } from './facts.js';
import { doubtsOf } from './verdict-doubts.js';

export interface Verdict {
  readonly verdict: 'valid' | 'invalid' | 'unknown';
  /** What made it so; what is broken comes first. Empty for a valid run. */
  readonly reasons: readonly string[];
  /** Those that the scenario judges. */
  readonly invariants: readonly Invariant[];
  /** Those that it does not, with the scenario's reason. */
  readonly notJudged: Readonly<Record<string, string>>;
}

/** Where there is nothing to judge. */
export const unjudged = (...reasons: readonly string[]): Verdict => ({
  verdict: 'unknown',
  ...{ reasons, invariants: [], notJudged: {} },
});

/** Never throws: a checker that crashes could not tell. invalid beats unknown beats valid. */
export function judge(facts: RunFacts, checkers: Readonly<Record<string, Checker>> = CHECKERS): Verdict {
  const { notJudged } = facts.plan;
  const judged = Object.entries(checkers).filter(([id]) => !(id in notJudged) && isAsked(id, facts));
  const invariants = judged.map(([id, check]) => ask(id, check, facts));
  const broken = invariants.filter(({ holds }) => holds === false).map(reasonOf);
  const unsure = [...invariants.filter(({ holds }) => holds === null).map(reasonOf), ...doubts(facts)];
  const verdict = broken.length > 0 ? 'invalid' : unsure.length > 0 ? 'unknown' : 'valid';
  return { verdict, reasons: [...broken, ...unsure], invariants, notJudged };
}

export const EXIT_CODES = { valid: 0, invalid: 1, unknown: 2 } as const;

/** That something goes on is judged where the plan says what. */
const isAsked = (id: string, { plan }: RunFacts): boolean => id !== 'I18' || plan.expected.goesOn !== undefined;

function ask(id: string, check: Checker, facts: RunFacts): Invariant {
  try {
    return check(facts);
  } catch (error) {
    return untold(id, `the checker crashed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function doubts(facts: RunFacts): string[] {
  try {
    return doubtsOf(facts);
  } catch (error) {
    return [`whether the run was a fair one cannot be told: ${String(error)}`];
  }
}

const reasonOf = ({ id, detail }: Invariant): string => `${id}: ${detail}`;
