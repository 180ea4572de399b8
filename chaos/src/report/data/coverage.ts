import { cellsHit } from '../../checkers/cells.js';
import { faultWindows } from '../../checkers/fault-windows.js';
import type { RunFacts } from '../../facts.js';

/** The matrix step × fault: which steps of the protocol were met by which faults. */
export interface Coverage {
  readonly kinds: readonly string[];
  readonly rows: readonly { readonly step: string; readonly cells: readonly Cell[] }[];
}

export interface Cell {
  readonly isHit: boolean;
  readonly isRequired: boolean;
}

const BETWEEN = ' × ';

/** Rows of steps that were seen or required, columns of faults that were injected or required. */
export function coverageOf({ history, plan }: RunFacts): Coverage {
  const hit = cellsHit(history);
  const required = new Set(plan.requiredCells);
  const cells = [...hit, ...required].map((cell) => cell.split(BETWEEN));
  const seen = history.flatMap((record) => (record.kind === 'step' ? [record.step] : []));
  const steps = distinct([...seen, ...cells.map(([step = '']) => step)]);
  const kinds = distinct([
    ...faultWindows(history).map(({ fault }) => fault.kind),
    ...cells.map(([, kind = '']) => kind),
  ]);
  const cellOf = (step: string, kind: string): Cell => {
    const cell = `${step}${BETWEEN}${kind}`;
    return { isHit: hit.has(cell), isRequired: required.has(cell) };
  };
  return { kinds, rows: steps.map((step) => ({ step, cells: kinds.map((kind) => cellOf(step, kind)) })) };
}

const distinct = (words: readonly string[]): string[] => [...new Set(words)].sort();
