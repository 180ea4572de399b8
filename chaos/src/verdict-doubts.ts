import { plannedOrders } from '@counterfoil/loadtest';

import { FOREIGN_CORES, foreignCores } from './checkers/foreign-cores.js';
import { cellsHit } from './checkers/cells.js';
import { faultWindows, phaseAt } from './checkers/fault-windows.js';
import { hadEffect } from './checkers/had-effect.js';
import type { RunFacts } from './facts.js';

const ENOUGH_LOAD = 0.98;
const LATE_MS = 20;

/** Why a run in which nothing was broken may still prove nothing. */
export const doubtsOf = (facts: RunFacts): string[] => [
  ...shortLoad(facts),
  ...lateGenerator(facts),
  ...faultsWithoutEffect(facts),
  ...missedCells(facts),
  ...facts.end.unread.map((part) => `not read: ${part}`),
  ...(facts.end.unwritten ?? []).map((file) => `not written: ${file}`),
  ...foreignWork(facts),
];

function shortLoad({ plan, load }: RunFacts): string[] {
  const { rate } = plan.load;
  const planned = plannedOrders(plan.load);
  return [
    ...(load.attempted < ENOUGH_LOAD * planned
      ? [`the load fell short: ${String(load.attempted)} of ${String(planned)} orders`]
      : []),
    ...(load.rate < ENOUGH_LOAD * rate
      ? [`the load fell short: ${load.rate.toFixed(0)} of ${String(rate)} orders a second`]
      : []),
    ...(load.ok === 0 ? ['no order was acknowledged'] : []),
  ];
}

/** Under faults a generator is late because its connections are held up: that is the fault, and not the generator. */
function lateGenerator({ plan, load }: RunFacts): string[] {
  const { p99 } = load.latenessMs;
  return plan.faults.length === 0 && p99 >= LATE_MS ? [`the generator was late: p99 ${p99.toFixed(0)} ms`] : [];
}

function faultsWithoutEffect({ plan, history }: RunFacts): string[] {
  const windows = new Map(faultWindows(history).map((window) => [window.id, window]));
  const loadEndsMs = (phaseAt(history, 'load') ?? 0) + plan.load.seconds * 1000 + (plan.load.quiet?.forMs ?? 0);
  return plan.faults.flatMap(({ id, fault: { kind } }) => {
    const window = windows.get(id);
    if (window === undefined) return [`fault ${id} (${kind}) was never begun`];
    if (window.toMs === null) return [`fault ${id} (${kind}) was never ended`];
    if (window.fromMs > loadEndsMs) return [`fault ${id} (${kind}) began when no orders came any more`];
    return hadEffect(window) ? [] : [`fault ${id} (${kind}) had no effect: not injected`];
  });
}

function missedCells({ plan, history }: RunFacts): string[] {
  const hit = cellsHit(history);
  return plan.requiredCells.filter((cell) => !hit.has(cell)).map((cell) => `the cell ${cell} was never hit`);
}

function foreignWork(facts: RunFacts): string[] {
  const cores = foreignCores(facts);
  if (cores === null) return ['nothing was sampled during the load'];
  return cores > FOREIGN_CORES ? [`${cores.toFixed(2)} cores were used by others`] : [];
}
