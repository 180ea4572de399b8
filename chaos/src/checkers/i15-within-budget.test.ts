import { aRun } from '../testkit/facts-builder.js';
import { outcome, withEnd, withHistory } from '../testkit/mutate.js';
import { withinBudget } from './i15-within-budget.js';

describe('I15, times within budget', () => {
  it('when recovery takes longer than leases, backlog and patience allow, then the run is unknown and not invalid', () => {
    expect(outcome(withEnd(aRun(), { settledAfterMs: 89_000 }))).toMatchObject({ verdict: 'valid' });
    expect(outcome(withEnd(aRun(), { settledAfterMs: 91_000 }))).toEqual({
      broken: [],
      untold: ['I15'],
      verdict: 'unknown',
    });
  });

  it('when orders are slow outside the fault windows, then it cannot be told; inside, they are let pass', () => {
    const slow = (from: number, to: number) =>
      withHistory(aRun(), (record) =>
        record.kind === 'order' && record.index >= from && record.index < to ? { ...record, latencyMs: 600 } : record,
      );
    expect(withinBudget(slow(5, 30)).holds).toBeNull();
    expect(withinBudget(slow(21, 30)).holds).toBe(true);
  });
});
