import type { HistoryRecord } from '../history.js';
import type { Fault } from '../plan.js';
import { cellsHit } from './cells.js';

const step = (atMs: number, target = 'relay-1'): HistoryRecord => ({
  atMs,
  kind: 'step',
  target,
  step: 'after-claim',
  messageId: null,
});
const during = (fault: Fault): HistoryRecord[] => [
  { atMs: 1_000, kind: 'fault', id: 'f1', phase: 'begin', fault, effect: null },
  { atMs: 2_000, kind: 'fault', id: 'f1', phase: 'end', fault, effect: { exits: 1, crashesAtStep: 1, haltsAtStep: 1 } },
];
const KILL: Fault = { kind: 'kill', target: 'relay-1', backAfterMs: 500 };
const CUT: Fault = { kind: 'cut', link: 'relay→broker', how: 'reset', direction: 'both', forMs: 1_000 };

describe('the matrix of steps and faults', () => {
  it('when a fault meets a process at a step, then the cell is hit', () => {
    expect([...cellsHit([...during(KILL), step(900)])]).toEqual(['after-claim × kill']);
    expect([...cellsHit([...during(CUT), step(1_500)])]).toEqual(['after-claim × cut']);
    expect([...cellsHit([...during({ kind: 'kill', target: 'broker', backAfterMs: 1 }), step(1_500)])]).toEqual([
      'after-claim × kill',
    ]);
  });

  it('when a fail-point took place, then its cell is hit; when it was armed in vain, then not', () => {
    const crash: Fault = { kind: 'crash-at', target: 'relay-1', step: 'after-claim-before-publish', backAfterMs: 500 };
    expect(cellsHit(during(crash))).toContain('after-claim-before-publish × kill');
    const halt: Fault = {
      kind: 'halt-at',
      target: 'relay-1',
      step: 'after-claim-before-publish',
      forMs: 1,
      then: 'go-on',
    };
    expect([...cellsHit(during(halt))]).toEqual(['after-claim-before-publish × halt-at']);
    const vain = during(crash).map((record) => ({ ...record, effect: {} }) as HistoryRecord);
    expect(cellsHit(vain).size).toBe(0);
  });

  it('when the step was long before, after, or of another process, then it is not', () => {
    expect(cellsHit([...during(KILL), step(500), step(2_500)]).size).toBe(0);
    expect(cellsHit([...during(KILL), step(1_500, 'relay-2')]).size).toBe(0);
    expect(cellsHit([...during(CUT), step(1_500, 'inventory-relay-1')]).size).toBe(0);
  });

  it('when a process ends at its own fail-point, then that is a kill at that step', () => {
    const exit: HistoryRecord = { atMs: 1_010, kind: 'process', target: 'relay-1', what: 'exited', expected: true };
    expect([...cellsHit([step(1_000), exit])]).toEqual(['after-claim × kill']);
  });
});
