import type { HistoryRecord } from '../history.js';
import type { FaultKind } from '../plan.js';
import { faultWindows, overlaps, phaseAt, type FaultWindow } from './fault-windows.js';

const SLACK_MS = 1_000;

export interface UnaskedExit {
  readonly target: string;
  /** False: nobody of the harness had ended it. */
  readonly expected: boolean;
}

/**
 * The processes that ended before the run was over though no kill, crash, stop or scaling of the plan asked for it. One that
 * nobody ended did so by itself, whatever was planned for it just then.
 */
export function unaskedExits(history: readonly HistoryRecord[]): UnaskedExit[] {
  const windows = faultWindows(history);
  const settlingMs = phaseAt(history, 'settling') ?? Infinity;
  return history.flatMap((record) => {
    if (record.kind !== 'process' || record.what !== 'exited' || record.atMs > settlingMs) return [];
    const { target, atMs, expected } = record;
    const isAsked = windows.some(
      (window) => asksFor(window, target) && overlaps(window, atMs - SLACK_MS, atMs + SLACK_MS),
    );
    return expected && isAsked ? [] : [{ target, expected }];
  });
}

const ENDS_NOBODY: readonly string[] = ['pause', 'disconnect'] satisfies FaultKind[];

export function asksFor({ fault }: FaultWindow, target: string): boolean {
  if (fault.kind === 'scale' || fault.kind === 'killer-message') return target.startsWith('relay');
  return 'target' in fault && !ENDS_NOBODY.includes(fault.kind) && fault.target === target;
}
