import type { Effect, HistoryRecord } from '../history.js';
import type { Fault } from '../plan.js';

export interface FaultWindow {
  readonly id: string;
  readonly fault: Fault;
  readonly fromMs: number;
  /** Null when nobody wrote down that it ended. */
  readonly toMs: number | null;
  readonly effect: Effect | null;
}

/** Faults as they were really injected, in the order of their beginning. */
export function faultWindows(history: readonly HistoryRecord[]): FaultWindow[] {
  const windows = new Map<string, FaultWindow>();
  for (const record of history) {
    if (record.kind !== 'fault') continue;
    const { id, fault, atMs, effect } = record;
    const begun = windows.get(id);
    if (record.phase === 'begin') windows.set(id, { id, fault, fromMs: atMs, toMs: null, effect });
    else if (begun !== undefined) windows.set(id, { ...begun, toMs: atMs, effect });
  }
  return [...windows.values()];
}

/** One without an end lasts for ever. */
export const overlaps = ({ fromMs, toMs }: FaultWindow, sinceMs: number, untilMs: number): boolean =>
  fromMs <= untilMs && (toMs ?? Infinity) >= sinceMs;

export const targetOf = (fault: Fault): string | null => {
  if ('target' in fault) return fault.target;
  if ('link' in fault) return fault.link;
  return 'queue' in fault ? fault.queue : null;
};

/** Beginnings of phases; null for one that never began. */
export const phaseAt = (
  history: readonly HistoryRecord[],
  name: Extract<HistoryRecord, { kind: 'phase' }>['name'],
): number | null => history.find((record) => record.kind === 'phase' && record.name === name)?.atMs ?? null;
