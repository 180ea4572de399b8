import type { HistoryRecord } from '../history.js';
import type { Fault } from '../plan.js';
import { uncleanStops } from './unclean-stops.js';

const STOP: Fault = { kind: 'stop', target: 'relay-1', backAfterMs: 300 };

const during = (fault: Fault, fromMs: number, toMs: number): HistoryRecord[] => {
  const id = `${fault.kind} ${String(fromMs)}`;
  return [
    { atMs: fromMs, kind: 'fault', id, phase: 'begin', fault, effect: null },
    { atMs: toMs, kind: 'fault', id, phase: 'end', fault, effect: null },
  ];
};

const killed = (target: string, atMs = 1_500): HistoryRecord => {
  return { atMs, kind: 'process', target, what: 'exited', expected: true, code: null, signal: 'SIGKILL' };
};

describe('a process that is asked to stop', () => {
  it('when it had to be killed, then that is told; when it is scaled away as well', () => {
    const says = ['relay-1 was asked to stop and ended with SIGKILL'];
    expect(uncleanStops([...during(STOP, 1_000, 2_000), killed('relay-1')])).toEqual(says);
    const scaled: Fault = { kind: 'scale', target: 'relay', to: 1 };
    expect(uncleanStops([...during(scaled, 1_000, 2_000), killed('relay-1')])).toEqual(says);
  });

  it.each<[string, Fault]>([
    ['a link was cut', { kind: 'cut', link: 'relay→broker', how: 'swallow', direction: 'both', forMs: 1 }],
    ['a server was away', { kind: 'kill', target: 'order-db', backAfterMs: 1 }],
    ['another process was halted', { kind: 'pause', target: 'relay-2', forMs: 1 }],
    ['it was killed itself', { kind: 'kill', target: 'relay-1', backAfterMs: 1 }],
  ])('when %s meanwhile or just before, then its end says nothing', (_what, fault) => {
    const stopped = [...during(STOP, 1_000, 2_000), killed('relay-1')];
    expect(uncleanStops([...stopped, ...during(fault, 1_400, 1_600)])).toEqual([]);
    expect(uncleanStops([...stopped, ...during(fault, 100, 500)])).toEqual([]);
    expect(uncleanStops([...stopped, ...during(fault, 1_600, 1_900)])).toHaveLength(1);
  });

  it('when another process of ours was ended meanwhile, then that is no excuse', () => {
    const other: Fault = { kind: 'stop', target: 'relay-2', backAfterMs: 1 };
    expect(uncleanStops([...during(STOP, 1_000, 2_000), ...during(other, 900, 1_600), killed('relay-1')])).toHaveLength(
      1,
    );
  });

  it('when a server is stopped, or a process ends at another time, then nothing is told', () => {
    const broker: Fault = { kind: 'stop', target: 'broker', backAfterMs: 1 };
    expect(uncleanStops([...during(broker, 1_000, 2_000), killed('broker')])).toEqual([]);
    expect(uncleanStops([...during(STOP, 1_000, 2_000), killed('relay-1', 2_500), killed('relay-2')])).toEqual([]);
  });
});
