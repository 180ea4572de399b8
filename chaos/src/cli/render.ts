import type { RunFacts } from '../facts.js';
import { effectText, mark, ms, seconds } from '../report/words.js';
import { verdictFile } from '../verdict-file.js';
import type { Verdict } from '../verdict.js';

/** What a run prints in the end: what was broken and what it did, the invariants, the figures, the verdict. */
export function verdictLines(facts: RunFacts, verdict: Verdict, notes: readonly string[]): string[] {
  const { faults, counts, latencyMs, latenessMs, recoveryMs, throughput } = verdictFile(facts, verdict);
  return [
    ...faults.map(
      ({ kind, target, fromMs, effect }) => `  ${seconds(fromMs)}  ${kind} ${target ?? ''}  ${effectText(effect)}`,
    ),
    ...(faults.length === 0 ? [] : ['']),
    ...verdict.invariants.map(({ id, holds, detail }) => `  ${mark(holds)} ${id.padEnd(4)} ${detail}`),
    ...Object.entries(verdict.notJudged).map(([id, reason]) => `  – ${id.padEnd(4)} not judged: ${reason}`),
    '',
    `  orders ${counts.attempted}: ok ${counts.ok}, refused ${counts.fail}, unknown ${counts.info}; lost ${counts.lost}, doubled ${counts.doubled}`,
    `  ${throughput.rate.toFixed(0)}/s; from due to answer p50 ${ms(latencyMs.p50)}, p99 ${ms(latencyMs.p99)}; sent late p99 ${ms(latenessMs.p99)}`,
    `  all final ${recoveryMs === null ? 'never' : `${seconds(recoveryMs)} after healing`}`,
    ...notes.map((note) => `  note: ${note}`),
    ...verdict.reasons.map((reason) => `  reason: ${reason}`),
  ].map(String);
}
