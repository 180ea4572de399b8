import type { HistoryRecord } from '../history.js';
import { isServer, type Fault } from '../plan.js';
import { faultWindows, overlaps, targetOf, type FaultWindow } from './fault-windows.js';
import { hadEffect } from './had-effect.js';

/** A step written down this short before a fault is where the process was when it came. */
const JUST_BEFORE_MS = 200;
/** A fail-point acts right after its line. */
const ACTS_WITHIN_MS = 2_000;

/** Cells of the matrix step × fault that were really hit: `after-confirm-before-settle × kill`. */
export function cellsHit(history: readonly HistoryRecord[]): Set<string> {
  const windows = faultWindows(history);
  const exits = history.filter((record) => record.kind === 'process').filter(({ what }) => what === 'exited');
  const cells = new Set<string>(windows.filter(hadEffect).flatMap(({ fault }) => atItsStep(fault)));
  for (const record of history) {
    if (record.kind !== 'step') continue;
    const { step, target, atMs } = record;
    for (const window of windows) if (meets(window, target, atMs)) cells.add(`${step} × ${window.fault.kind}`);
    // A fail-point that kills its own process is no fault of the plan.
    const died = exits.some(
      (exit) => exit.target === target && exit.atMs >= atMs && exit.atMs - atMs <= ACTS_WITHIN_MS,
    );
    if (died) cells.add(`${step} × kill`);
  }
  return cells;
}

/** Cells of a fail-point that was armed and took place: it was at its step, by its own line. */
export function atItsStep(fault: Fault): string[] {
  if (!('step' in fault)) return [];
  const died = fault.kind === 'crash-at' || fault.then === 'die';
  return [`${fault.step} × ${fault.kind}`, ...(died ? [`${fault.step} × kill`] : [])];
}

/** A fault meets a process when it is aimed at it, at its link, or at a server. */
function meets(window: FaultWindow, process: string, atMs: number): boolean {
  const { fault } = window;
  if (!overlaps(window, atMs, atMs + JUST_BEFORE_MS)) return false;
  const aim = targetOf(fault);
  if (aim === null || aim === process || 'queue' in fault) return true;
  const [kind = ''] = aim.split('→');
  return aim.includes('→') ? process.replace(/(-service)?-\d+$/, '') === kind.replace(/-service$/, '') : isServer(aim);
}
