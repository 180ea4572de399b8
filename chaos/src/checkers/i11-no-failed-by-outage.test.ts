import type { NoteRow, Transition } from '../facts.js';
import { aRun } from '../testkit/facts-builder.js';
import { double, drop, flip, outcome, withBooks } from '../testkit/mutate.js';
import { aPoisonedRun, aRunWithKiller, givenUp } from '../testkit/planned-failures.js';
import { noFailedByOutage } from './i11-no-failed-by-outage.js';

const withFailed = (errorMsg: string | null) =>
  withBooks(aRun(), ({ orderMessages }) => ({
    orderMessages: flip(orderMessages, 3, { status: 'FAILED', errorMsg }),
  }));

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
    expect(noFailedByOutage(withFailed('worker-lost: so many leases'))).toMatchObject({
      holds: false,
      anomalies: ['m3 is FAILED: worker-lost: so many leases'],
    });
    expect(noFailedByOutage(withFailed(null)).holds).toBe(false);
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

describe('I11, what is to fail', () => {
  const notes = (change: (notes: readonly NoteRow[]) => readonly NoteRow[]) =>
    noFailedByOutage(withBooks(aPoisonedRun(), ({ deductionNotes }) => ({ deductionNotes: change(deductionNotes) })));
  const positionOf = (list: readonly NoteRow[], id: string) => list.findIndex(({ messageId }) => messageId === id);

  it('when unreadable bodies are noted as FAILED, each once, then it holds', () => {
    expect(noFailedByOutage(aPoisonedRun())).toMatchObject({ holds: true, detail: '9 FAILED, 9 of them planned' });
    expect(outcome(aPoisonedRun())).toEqual({ broken: [], untold: [], verdict: 'valid' });
  });

  it('when a good message is FAILED for the same reason as its unreadable neighbour, then it is broken', () => {
    const spoilt = notes((list) => flip(list, 3, { status: 'FAILED', errorMsg: 'The body is not JSON' }));
    expect(spoilt).toMatchObject({ holds: false, anomalies: ['m3 is FAILED: The body is not JSON'] });
  });

  it.each([
    ['is swallowed', (list: readonly NoteRow[], at: number) => drop(list, at), 'poison-2 has no note'],
    ['is noted twice', (list: readonly NoteRow[], at: number) => double(list, at), 'poison-2 has 2 notes'],
    [
      'takes effect',
      (list: readonly NoteRow[], at: number) => flip(list, at, { status: 'SUCCESS' }),
      'poison-2 is noted as SUCCESS',
    ],
  ])('when an unreadable body %s, then it is broken', (_what, change, says) => {
    const { holds, anomalies } = notes((list) => change(list, positionOf(list, 'poison-2')));
    expect({ holds, anomalies }).toEqual({ holds: false, anomalies: [`the unreadable body ${says}`] });
  });

  it('when one without an id is swallowed, then it is broken', () => {
    const { anomalies } = notes((list) => list.filter(({ messageId }) => !messageId.startsWith('sha256:')));
    expect(anomalies).toHaveLength(3);
  });

  it('when no unreadable body came to the broker, then none is looked for', () => {
    const { history, ...facts } = aPoisonedRun();
    const failed = history.map((record) => (record.kind === 'fault' ? { ...record, effect: {} } : record));
    const clean = withBooks({ ...facts, history: failed }, () => ({ deductionNotes: aRun().books.deductionNotes }));
    expect(noFailedByOutage(clean).holds).toBe(true);
  });

  it('when the message that kills its sender is given up, then it holds; when another one is, it is broken', () => {
    expect(noFailedByOutage(givenUp(aRunWithKiller(), 3)).holds).toBe(true);
    expect(noFailedByOutage(givenUp(givenUp(aRunWithKiller(), 3), 4))).toMatchObject({
      holds: false,
      anomalies: ['m4 is FAILED: worker-lost: so many leases'],
    });
    expect(noFailedByOutage(givenUp(aRunWithKiller(), 4)).holds).toBe(false);
  });

  it('when it is not given up, then it is broken once it has lost its leases, and cannot be told before that', () => {
    const lost = (leases: number) =>
      noFailedByOutage(
        withBooks(aRunWithKiller(), ({ orderMessages, transitions }) => {
          const move = { id: orderMessages[3]?.id ?? '', from: 'SENDING', to: 'PENDING' };
          const moves = Array.from({ length: leases }, () => ({ ...(transitions[0] as Transition), ...move }));
          return { transitions: [...transitions, ...moves] };
        }),
      );
    expect(lost(5)).toMatchObject({ holds: false, anomalies: ['m3 has lost 5 leases and is SENT'] });
    expect(lost(4)).toMatchObject({ holds: null, detail: expect.stringContaining('SENT after 4 leases') });
    expect(noFailedByOutage(withBooks(aRunWithKiller(), () => ({ placed: [] }))).holds).toBeNull();
  });
});
