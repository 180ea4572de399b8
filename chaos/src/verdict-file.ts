import { faultWindows, targetOf } from './checkers/fault-windows.js';
import type { RunFacts } from './facts.js';
import type { Effect } from './history.js';
import type { Plan } from './plan.js';
import { countsOf, type VerdictCounts } from './verdict-counts.js';
import type { Verdict } from './verdict.js';

/** What `--json FILE` writes: part of the contract (2-contract). */
export interface VerdictFile extends Verdict {
  readonly scenario: string;
  readonly seed: number;
  readonly sabotage: string | null;
  readonly counts: VerdictCounts;
  readonly throughput: { readonly plannedRate: number; readonly rate: number; readonly okRate: number };
  readonly latencyMs: RunFacts['load']['latencyMs'];
  readonly latenessMs: RunFacts['load']['latenessMs'];
  readonly recoveryMs: number | null;
  readonly faults: readonly FaultLine[];
}

interface FaultLine {
  readonly kind: string;
  readonly target: string | null;
  readonly fromMs: number;
  readonly toMs: number | null;
  readonly effect: Effect;
}

export function verdictFile(facts: RunFacts, verdict: Verdict): VerdictFile {
  const { plan, load, end, history } = facts;
  return {
    ...verdict,
    ...{ scenario: plan.scenario, seed: plan.seed, sabotage: plan.sabotage },
    counts: countsOf(facts),
    throughput: {
      plannedRate: plan.load.rate,
      rate: load.rate,
      okRate: load.attempted === 0 ? 0 : (load.rate * load.ok) / load.attempted,
    },
    ...{ latencyMs: load.latencyMs, latenessMs: load.latenessMs, recoveryMs: end.settledAfterMs },
    faults: faultWindows(history).map(({ fault, fromMs, toMs, effect }) => ({
      ...{ kind: fault.kind, target: targetOf(fault), fromMs, toMs },
      effect: effect ?? {},
    })),
  };
}

/** The same of a plan that was not carried out, without what only a run has; null: there was not even a plan. */
export const unjudgedJson = (verdict: Verdict, plan: Plan | null): string =>
  textOf({
    ...verdict,
    ...{ scenario: plan?.scenario ?? null, seed: plan?.seed ?? null, sabotage: plan?.sabotage ?? null },
  });

export const verdictJson = (facts: RunFacts, verdict: Verdict): string => textOf(verdictFile(facts, verdict));

const textOf = (file: object): string => `${JSON.stringify(file, null, 2)}\n`;
