import { readDeductions } from '@counterfoil/loadtest';

import { countAll, type Counts } from './counts.js';
import { placedByIndex, type ClientAccount, type Evidence } from './evidence.js';
import { findingsOf, type Finding } from './findings.js';

export interface Judgement {
  readonly verdict: 'valid' | 'invalid' | 'unknown';
  readonly findings: readonly Finding[];
  /** Why nothing can be said. */
  readonly doubts: readonly string[];
  readonly counts: Counts;
}

/** Compares what the client knows, what the tables say, and what the stock alone says. Pure. */
export function judge(evidence: Evidence): Judgement {
  const { workload, client, books } = evidence;
  const placed = placedByIndex(client.run, books.orders);
  const isDue = (index: number): boolean => placed.get(index)?.some(({ status }) => status !== 'REJECTED') ?? false;
  const deductions = readDeductions(workload, books.stock, (index) => (isDue(index) ? 1 : 0));
  const counts = countAll(evidence, placed, deductions);
  const findings = findingsOf(evidence, placed, counts);
  const doubts = doubtsOf(client);
  const broken = findings.some(({ holds }) => !holds);
  return { verdict: broken ? 'invalid' : doubts.length > 0 ? 'unknown' : 'valid', findings, doubts, counts };
}

const ENOUGH_LOAD = 0.95;

function doubtsOf({ attempted, planned, ok, rate, wantedRate }: ClientAccount): string[] {
  const doubts: string[] = [];
  if (attempted < planned) doubts.push(`only ${String(attempted)} of ${String(planned)} orders were attempted`);
  if (rate < ENOUGH_LOAD * wantedRate)
    doubts.push(`the load was ${rate.toFixed(0)} orders a second instead of ${String(wantedRate)}`);
  if (ok === 0) doubts.push('no order was acknowledged');
  return doubts;
}
