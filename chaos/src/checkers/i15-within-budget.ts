import type { Invariant, RunFacts } from '../facts.js';
import { faultWindows, overlaps, phaseAt } from './fault-windows.js';
import { told } from './finding.js';
import { setting } from './settings.js';

const P99_MS = 500;
/** A fault's echo: reconnecting, a restarted process finding its pace. */
const ECHO_MS = 5_000;
const FEWEST = 10;
const WORKING_OFF_MS = 30_000;

/**
 * Recovery and the p99 outside fault windows are within budget. Times are the machine's as much as the product's:
 * never false, at worst unknown.
 */
export const withinBudget = (facts: RunFacts): Invariant => {
  const found = told({ id: 'I15', needs: [] }, facts, () => {
    const { settledAfterMs } = facts.end;
    if (settledAfterMs === null) return 'the run never settled';
    const calm = calmLatencies(facts);
    const p99 = calm.length < FEWEST ? null : percentile(calm, 0.99);
    const budgetMs = recoveryBudget(facts);
    const latency =
      p99 === null ? 'hardly an order outside the fault windows' : `p99 ${p99.toFixed(0)} ms outside fault windows`;
    return {
      detail: `${latency}, recovered after ${String(settledAfterMs)} ms`,
      anomalies: [
        ...(p99 !== null && p99 > P99_MS ? [`the p99 is over ${String(P99_MS)} ms`] : []),
        ...(settledAfterMs > budgetMs ? [`recovery took longer than ${budgetMs.toFixed(0)} ms`] : []),
      ],
    };
  });
  return found.holds === false ? { ...found, holds: null } : found;
};

/** Answers to orders of the measured load that met no fault and no echo of one. */
function calmLatencies({ history }: RunFacts): number[] {
  const loadMs = phaseAt(history, 'load') ?? 0;
  const windows = faultWindows(history);
  return history.flatMap((record) => {
    if (record.kind !== 'order' || record.outcome !== 'ok') return [];
    const dueMs = record.atMs - record.latencyMs;
    return dueMs >= loadMs && !windows.some((window) => overlaps(window, dueMs - ECHO_MS, record.atMs))
      ? [record.latencyMs]
      : [];
  });
}

function percentile(values: readonly number[], rank: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(rank * sorted.length) - 1] ?? 0;
}

/** Two leases (one that a dead process holds, one that its successor may lose as well), the backlog at the relays' pace, and some time. */
function recoveryBudget(facts: RunFacts): number {
  const healingMs = phaseAt(facts.history, 'healing') ?? Infinity;
  const backlog = facts.samples.filter(({ atMs }) => atMs <= healingMs).at(-1)?.backlog ?? 0;
  const pace = setting(facts, 'RELAY_RATE') * Math.max(1, facts.plan.world.relays);
  return 2 * setting(facts, 'SENDING_LEASE_MS') + (pace > 0 ? (backlog / pace) * 1000 : 0) + WORKING_OFF_MS;
}
