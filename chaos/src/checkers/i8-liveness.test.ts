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

  it('when a queue holds something, then it is broken', () => {
    const depths = (queueDepths: Record<string, number>) => broken(withEnd(aRun(), { queueDepths }));
    expect(depths({ 'inventory.deduct': 1 })).toEqual(['I8']);
    expect(depths({ 'inventory.dead': 1 })).toEqual(['I8']);
  });

  it('when a process is not up, or one ended by itself, then it is broken', () => {
    expect(broken(withEnd(aRun(), { processesUp: { 'relay-1': false } }))).toEqual(['I8']);
    const facts = aRun();
    const crashed = { atMs: 3_000, kind: 'process', target: 'relay-2', what: 'exited', expected: false } as const;
    expect(broken({ ...facts, history: [...facts.history, crashed] })).toEqual(['I8']);
  });

  it('when a process ends at the fail-point of a planned crash, then nothing is broken; if it ended otherwise, it is', () => {
    const crash = {
      kind: 'crash-at',
      target: 'relay-2',
      step: 'after-claim-before-publish',
      backAfterMs: 500,
    } as const;
    const facts = aRun({ faults: [...aRun().plan.faults, { id: 'f2', atMs: 3_000, fault: crash }] });
    const ended = (expected: boolean) =>
      ({ atMs: 3_100, kind: 'process', target: 'relay-2', what: 'exited', expected }) as const;
    expect(broken({ ...facts, history: [...facts.history, ended(true)] })).toEqual([]);
    expect(broken({ ...facts, history: [...facts.history, ended(false)] })).toEqual(['I8']);
  });

  it('when a process ends by itself just after a kill brought it back, then it is broken', () => {
    const facts = aRun();
    const again = { atMs: 8_000, kind: 'process', target: 'relay-1', what: 'exited', expected: false } as const;
    expect(broken({ ...facts, history: [...facts.history, again] })).toEqual(['I8']);
  });

  it('when a process that is asked to stop ends with another code than 0, then it is broken', () => {
    const stop = { kind: 'stop', target: 'order-service-1', backAfterMs: 300 } as const;
    const facts = aRun({ faults: [...aRun().plan.faults, { id: 'f2', atMs: 3_000, fault: stop }] });
    const ended = { atMs: 3_100, kind: 'process', target: 'order-service-1', what: 'exited', expected: true } as const;
    const endingWith = (how: object) => broken({ ...facts, history: [...facts.history, { ...ended, ...how }] });
    expect(endingWith({ code: 1, signal: null })).toEqual(['I8']);
    expect(endingWith({ code: null, signal: 'SIGKILL' })).toEqual(['I8']);
    expect(endingWith({ code: 0, signal: null })).toEqual([]);
    expect(endingWith({})).toEqual([]);
  });

  it('when a process consumes its queue no more, or twice, then it is broken, though all is done', () => {
    const { consumers } = aRun().end;
    const counted = (count: number) => withEnd(aRun(), { consumers: { ...consumers, 'inventory.deduct': count } });
    expect(broken(counted(0))).toEqual(['I8']);
    expect(broken(counted(2))).toEqual(['I8']);
    expect(broken(counted(1))).toEqual([]);
    expect(untold(withEnd(aRun(), { consumers: null }))).toEqual(['I8']);
    expect(broken(withEnd(aRun(), { consumers: null, settled: false }))).toEqual(['I8']);
  });

  it('when nobody looked, then it cannot be told', () => {
    expect(untold(withEnd(aRun(), { queueDepths: {} }))).toEqual(['I8']);
    expect(untold(withEnd(aRun(), { processesUp: {} }))).toEqual(['I8']);
  });
});
