import { aRun } from '../testkit/facts-builder.js';
import { flip, withBooks } from '../testkit/mutate.js';
import { noFailedByOutage } from './i11-no-failed-by-outage.js';

const withFailed = (errorMsg: string | null, plannedFailures: string[]) => {
  const expected = { ...aRun().plan.expected, plannedFailures };
  return withBooks(aRun({ expected }), ({ orderMessages }) => ({
    orderMessages: flip(orderMessages, 3, { status: 'FAILED', errorMsg }),
  }));
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
});
