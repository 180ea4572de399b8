import { aRun } from '../testkit/facts-builder.js';
import { flip, withBooks } from '../testkit/mutate.js';
import { noFailedByOutage } from './i11-no-failed-by-outage.js';

const withFailed = (errorMsg: string | null, plannedFailures: string[]) => {
  const expected = { ...aRun().plan.expected, plannedFailures };
  return withBooks(aRun({ expected }), ({ orderMessages }) => ({
    orderMessages: flip(orderMessages, 3, { status: 'FAILED', errorMsg }),
  }));
};

/** Of two messages, one refused for good, as the recorder saw it, and as a person found them. */
const byHand = (failed: readonly string[], retried = failed.length, answered = 307) => {
  const expected = { ...aRun().plan.expected, retriedByHand: true };
  const run = withBooks(aRun({ expected }), () => ({
    http: [
      { messageId: 'm3', answered, tookMs: 5 },
      { messageId: 'm4', answered: 202, tookMs: 5 },
    ],
  }));
  return noFailedByOutage({
    ...run,
    byHand: { failed: failed.map((messageId) => ({ messageId, errorMsg: 'why' })), retried },
  });
};

describe('I11, an outage alone leaves no FAILED', () => {
  it('when a row is FAILED that nobody planned, then it is broken', () => {
    expect(noFailedByOutage(withFailed('worker-lost: so many leases', []))).toMatchObject({
      holds: false,
      anomalies: ['m3 is FAILED: worker-lost: so many leases'],
    });
    expect(noFailedByOutage(withFailed(null, ['worker-lost'])).holds).toBe(false);
    expect(noFailedByOutage(withFailed('unroutable', ['worker-lost'])).holds).toBe(false);
  });

  it('when the scenario plans that reason, then it holds', () => {
    expect(noFailedByOutage(withFailed('worker-lost: so many leases', ['worker-lost'])).holds).toBe(true);
  });

  it('when more are FAILED for that reason than the scenario plans, then it is broken', () => {
    const { plan, ...facts } = withFailed('worker-lost: so many leases', ['worker-lost']);
    const atMost = (failuresAtMost: number) =>
      noFailedByOutage({ ...facts, plan: { ...plan, expected: { ...plan.expected, failuresAtMost } } });
    expect(atMost(1).holds).toBe(true);
    expect(atMost(0)).toMatchObject({ holds: false, anomalies: ['1 are FAILED as planned of no more than 0'] });
  });

  it('when a person sends again what is FAILED, then it was exactly what the receiver refused for good, and all of it went', () => {
    expect(byHand(['m3']).holds).toBe(true);
    expect(byHand(['m3', 'm4']).anomalies).toEqual(['m4 was FAILED, and not refused for good: why']);
    expect(byHand([]).anomalies).toEqual(['m3 was refused for good, and not FAILED']);
    expect(byHand(['m3'], 0).anomalies).toEqual(['1 could not be sent again by hand']);
  });

  it('when nothing was refused for good, or nobody looked, then it cannot be told', () => {
    expect(byHand([], 0, 503).holds).toBeNull();
    const expected = { ...aRun().plan.expected, retriedByHand: true };
    expect(noFailedByOutage(aRun({ expected })).holds).toBeNull();
  });
});
