import { aRun } from '../testkit/facts-builder.js';
import { broken, flip, untold, withBooks, withEnd } from '../testkit/mutate.js';

describe('I8, everything comes to its end', () => {
  it('when the run never settled, then it is broken, and its recovery cannot be told', () => {
    const stuck = withEnd(aRun(), { settled: false, settledAfterMs: null });
    expect(broken(stuck)).toEqual(['I8']);
    expect(untold(stuck)).toEqual(['I15']);
  });

  it('when a row is open, then it is broken', () => {
    const held = withBooks(aRun(), ({ orderMessages }) => ({
      orderMessages: flip(orderMessages, 3, { status: 'SENDING' }),
    }));
    expect(broken(held)).toEqual(['I8', 'I14']);
    const open = withBooks(aRun(), ({ orders }) => ({ orders: flip(orders, 3, { status: 'CREATED' }) }));
    expect(broken(open)).toEqual(['I7', 'I8']);
  });

  it('when a queue holds something, then it is broken, but for dead letters that the scenario plans', () => {
    const depths = (queueDepths: Record<string, number>, plannedFailures: string[] = []) =>
      broken(withEnd(aRun({ expected: { ...aRun().plan.expected, plannedFailures } }), { queueDepths }));
    expect(depths({ 'inventory.deduct': 1 })).toEqual(['I8']);
    expect(depths({ 'inventory.dead': 1 })).toEqual(['I8']);
    expect(depths({ 'inventory.dead': 1 }, ['poison'])).toEqual([]);
  });

  it('when a process is not up, or one ended by itself, then it is broken', () => {
    expect(broken(withEnd(aRun(), { processesUp: { 'relay-1': false } }))).toEqual(['I8']);
    const facts = aRun();
    const crashed = { atMs: 3_000, kind: 'process', target: 'relay-2', what: 'exited', expected: false } as const;
    expect(broken({ ...facts, history: [...facts.history, crashed] })).toEqual(['I8']);
  });

  it('when a process ends at the fail-point of a planned crash, then nothing is broken', () => {
    const crash = {
      kind: 'crash-at',
      target: 'relay-2',
      step: 'after-claim-before-publish',
      backAfterMs: 500,
    } as const;
    const facts = aRun({ faults: [...aRun().plan.faults, { id: 'f2', atMs: 3_000, fault: crash }] });
    const crashed = { atMs: 3_100, kind: 'process', target: 'relay-2', what: 'exited', expected: false } as const;
    expect(broken({ ...facts, history: [...facts.history, crashed] })).toEqual([]);
  });

  it('when nobody looked, then it cannot be told', () => {
    expect(untold(withEnd(aRun(), { queueDepths: {} }))).toEqual(['I8']);
    expect(untold(withEnd(aRun(), { processesUp: {} }))).toEqual(['I8']);
  });
});
