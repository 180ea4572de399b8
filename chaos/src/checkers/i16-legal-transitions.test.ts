import type { RunFacts, Transition } from '../facts.js';
import { aRun } from '../testkit/facts-builder.js';
import { broken, double, drop, flip, swap, withBooks } from '../testkit/mutate.js';
import { legalTransitions } from './i16-legal-transitions.js';

const withTransitions = (change: (list: readonly Transition[]) => Transition[]): RunFacts =>
  withBooks(aRun(), ({ transitions }) => ({ transitions: change(transitions) }));

/** One more move of the message of order 0, which had been SENT at version 2. */
const after = (move: Partial<Transition>): RunFacts =>
  withTransitions((list) => [
    ...list.slice(0, 2),
    { ...(list[1] as Transition), from: 'SENT', fromVersion: 2, toVersion: 3, ...move },
    ...list.slice(2),
  ]);

describe('I16, every transition is an arrow', () => {
  it.each([
    ['is missing', (list: readonly Transition[]) => drop(list, 0)],
    ['stands there twice', (list: readonly Transition[]) => double(list, 0)],
    ['comes before the one before it', (list: readonly Transition[]) => swap(list, 0)],
    ['skips a version', (list: readonly Transition[]) => flip(list, 1, { toVersion: 5 })],
    ['keeps the version', (list: readonly Transition[]) => flip(list, 0, { toVersion: 0 })],
    ['is no arrow', (list: readonly Transition[]) => flip(list, 0, { to: 'SENT' })],
    ['counts an attempt on the way to SENT', (list: readonly Transition[]) => flip(list, 1, { retryCountRose: true })],
    [
      'begins where the one before did not end',
      (list: readonly Transition[]) => flip(list, 1, { from: 'PENDING', to: 'SENDING' }),
    ],
  ])('when a transition %s, then it is broken', (_what, change) => {
    expect(broken(withTransitions(change))).toContain('I16');
  });

  it('when moves of two rows come in the other order, then nothing is broken', () => {
    expect(broken(withTransitions((list) => swap(list, 1)))).toEqual([]);
  });

  it('when a message leaves SENT without a recorded action, then it is broken; with one it is not', () => {
    const replayed = after({ to: 'PENDING' });
    expect(legalTransitions(replayed).anomalies).toEqual(['replay of m0 in the order database is not recorded']);
    const action = { database: 'order', messageId: 'm0', action: 'replay' } as const;
    expect(legalTransitions(withBooks(replayed, () => ({ actions: [action] }))).holds).toBe(true);
    const other = { ...action, action: 'retry' };
    expect(legalTransitions(withBooks(replayed, () => ({ actions: [other] }))).holds).toBe(false);
  });

  it('when a lease is settled by somebody who lost it, then the move from SENT is no arrow', () => {
    expect(legalTransitions(after({ to: 'SENT' })).holds).toBe(false);
    expect(legalTransitions(after({ to: 'FAILED' })).holds).toBe(false);
  });

  it('when nothing ever moved though there are messages, then it cannot be told', () => {
    expect(legalTransitions(withTransitions(() => [])).holds).toBeNull();
  });
});
