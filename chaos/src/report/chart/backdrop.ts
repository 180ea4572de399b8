import { faultWindows, phaseAt } from '../../checkers/fault-windows.js';
import type { RunFacts } from '../../facts.js';
import { faultLabel } from '../words.js';

/** What all charts of a run share: its time, its fault windows, and where the measured load began and ended. */
export interface Backdrop {
  readonly lengthMs: number;
  readonly windows: readonly Shade[];
  readonly marks: readonly { readonly atMs: number; readonly label: string }[];
}

export interface Shade {
  readonly fromMs: number;
  readonly toMs: number;
  readonly id: string;
  readonly label: string;
}

export function backdropOf({ history, samples }: RunFacts): Backdrop {
  const ends = [history, samples].map((all) => all.reduce((last, { atMs }) => Math.max(last, atMs), 0));
  const lengthMs = Math.max(1_000, ...ends);
  const windows = faultWindows(history);
  const marks = [
    { atMs: phaseAt(history, 'load'), label: 'warm-up ends' },
    { atMs: phaseAt(history, 'healing'), label: 'load ends' },
  ];
  return {
    lengthMs,
    windows: windows.map((window) => ({
      fromMs: window.fromMs,
      toMs: window.toMs ?? lengthMs,
      id: window.id,
      label: faultLabel(window),
    })),
    marks: marks.flatMap(({ atMs, label }) => (atMs === null ? [] : [{ atMs, label }])),
  };
}
