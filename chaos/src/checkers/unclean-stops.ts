import type { HistoryRecord } from '../history.js';
import { isServer, type Fault, type FaultKind } from '../plan.js';
import { faultWindows, overlaps } from './fault-windows.js';
import { asksFor } from './unasked-exits.js';

/** What another fault broke just before may still be coming back. */
const SLACK_MS = 1_000;

/**
 * Processes of ours that were asked to stop and did not end with 0: a part of them failed, they took longer than they may, or
 * they had to be killed. Beside another fault that may be its doing; servers have codes of their own.
 */
export function uncleanStops(history: readonly HistoryRecord[]): string[] {
  const windows = faultWindows(history);
  return history.flatMap((record) => {
    if (record.kind !== 'process' || record.what !== 'exited' || !record.expected || isServer(record.target)) return [];
    const { target, atMs, code = 0, signal } = record;
    const stop = windows.find(
      (window) => isStop(window.fault) && asksFor(window, target) && overlaps(window, atMs, atMs),
    );
    if (stop === undefined || code === 0) return [];
    const isDisturbed = windows.some(
      (other) => other !== stop && !isElsewhere(other.fault, target) && overlaps(other, stop.fromMs - SLACK_MS, atMs),
    );
    return isDisturbed ? [] : [`${target} was asked to stop and ended with ${signal ?? `code ${String(code)}`}`];
  });
}

const isStop = ({ kind }: Fault): boolean => kind === 'stop' || kind === 'scale';

const ENDS_AT_ONCE: readonly string[] = ['kill', 'crash-at', 'stop', 'scale'] satisfies FaultKind[];

/** Another process of ours that ends keeps nobody waiting: its connections, and what they lock, end with it. */
const isElsewhere = (fault: Fault, target: string): boolean =>
  ENDS_AT_ONCE.includes(fault.kind) && 'target' in fault && !isServer(fault.target) && fault.target !== target;
