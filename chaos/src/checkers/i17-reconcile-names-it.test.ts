import type { Reconciliation, RunFacts } from '../facts.js';
import { aRun } from '../testkit/facts-builder.js';
import { aPoisonedRun, aRunWithKiller, givenUp } from '../testkit/planned-failures.js';
import { reconcileNamesIt } from './i17-reconcile-names-it.js';

const EXPECTED = { plannedLoss: false, duplicatesAtMost: null };

const reconciled = (reconciliation: RunFacts['reconciliation'], plannedLoss = false): RunFacts => ({
  ...aRun({ expected: { ...EXPECTED, plannedLoss } }),
  reconciliation,
});

type Named = Reconciliation['differences'][number];

const lost = (orderId: string, repaired: Named['repaired'] = 'done'): Named => ({
  ...{ kind: 'not-received', route: 'deduction', orderId, messageId: `m${orderId}`, detail: 'SENT', repaired },
});

const loss = (change: Partial<Reconciliation> = {}): RunFacts =>
  reconciled({ differences: [lost('1003'), lost('1004')], missing: ['1003', '1004'], left: [], ...change }, true);

describe('I17, reconcile names what is lost', () => {
  it('when nothing was to be lost and there is no difference, then it holds', () => {
    expect(reconcileNamesIt(reconciled({ differences: [], missing: null, left: [] }))).toMatchObject({ holds: true });
  });

  it('when nothing was to be lost and something differs, then it is broken and says what', () => {
    const one = lost('1003', null);
    const { holds, anomalies } = reconcileNamesIt(reconciled({ differences: [one], missing: null, left: [one] }));
    expect(holds).toBe(false);
    expect(anomalies).toEqual(['not-received: order 1003, deduction m1003 (SENT)']);
  });

  it('when what differs was given up as planned, or came from the nemesis, then it holds; of anything else it does not', () => {
    const left = aPoisonedRun()
      .books.deductionNotes.filter(({ status }) => status === 'FAILED')
      .map(({ messageId }) => ({
        ...{ kind: 'note-without-message' as const, route: 'deduction' as const, orderId: null, messageId },
        detail: 'FAILED',
      }));
    const reconciliation = { differences: left.map((one) => ({ ...one, repaired: null })), missing: null, left };
    expect(reconcileNamesIt({ ...aPoisonedRun(), reconciliation })).toMatchObject({
      holds: true,
      detail: '9 differences, all planned',
    });
    expect(reconcileNamesIt({ ...aRun(), reconciliation }).holds).toBe(false);
    const failed = lost('1003', null);
    const killers = { differences: [failed], missing: null, left: [{ ...failed, messageId: 'm3' }] };
    expect(reconcileNamesIt({ ...givenUp(aRunWithKiller(), 3), reconciliation: killers }).holds).toBe(true);
    expect(reconcileNamesIt({ ...givenUp(aRunWithKiller(), 4), reconciliation: killers }).holds).toBe(false);
  });

  it('when exactly what the stock misses was named and replayed, then it holds, and the loss is in the verdict', () => {
    expect(reconcileNamesIt(loss())).toMatchObject({
      holds: true,
      detail: expect.stringContaining('planned loss: 2 deductions by the stock, 2 named by reconcile, 2 replayed'),
    });
  });

  it.each([
    ['an order was lost and not named', { missing: ['1003', '1004', '1005'] }, 'order 1005 was lost and not named'],
    [
      'one was named that was not lost',
      { missing: ['1003'] },
      'order 1004, deduction m1004 (SENT), and it was not lost',
    ],
    ['one was not replayed', { differences: [lost('1003'), lost('1004', 'state-moved')] }, 'and was not replayed'],
    ['something differs after the repair', { left: [lost('1003')] }, 'after the repair'],
    [
      'something else was named',
      { differences: [lost('1003'), lost('1004'), { ...lost('1007'), kind: 'message-failed' as const }] },
      'message-failed: order 1007',
    ],
  ])('when %s, then it is broken', (_what, change, says) => {
    const { holds, anomalies } = reconcileNamesIt(loss(change));
    expect(holds).toBe(false);
    expect(anomalies.join()).toContain(says);
  });

  it.each([
    ['nothing was lost after all', loss({ missing: [], differences: [] })],
    ['the stock cannot say what was lost', loss({ missing: null })],
    ['nobody reconciled', reconciled(null)],
  ])('when %s, then it cannot be told', (_what, facts) => {
    expect(reconcileNamesIt(facts).holds).toBeNull();
  });
});
