import { aRun } from '../testkit/facts-builder.js';
import { broken, double, drop, flip, withBooks } from '../testkit/mutate.js';
import { aPoisonedRun } from '../testkit/planned-failures.js';

describe('I7, note, effect and decision agree', () => {
  it('when a note is missing, twice or no success, then it is broken', () => {
    const notes = (change: (notes: ReturnType<typeof aRun>['books']['deductionNotes']) => typeof notes): string[] =>
      broken(withBooks(aRun(), ({ deductionNotes }) => ({ deductionNotes: change(deductionNotes) })));
    expect(notes((list) => drop(list, 3))).toEqual(['I7']);
    expect(notes((list) => flip(double(list, 3), 4, { id: '99' }))).toEqual(['I7']);
    expect(notes((list) => flip(list, 3, { messageId: 'stranger' }))).toEqual(['I7']);
    expect(notes((list) => flip(list, 3, { status: 'FAILED' }))).toEqual(['I7', 'I11']);
  });

  it('when a decision says otherwise than the order, then it is broken', () => {
    expect(
      broken(
        withBooks(aRun(), ({ decisionMessages }) => ({
          decisionMessages: flip(decisionMessages, 3, { outcome: 'REJECTED' }),
        })),
      ),
    ).toEqual(['I7', 'I14']);
    expect(broken(withBooks(aRun(), ({ orders }) => ({ orders: flip(orders, 3, { status: 'REJECTED' }) })))).toEqual([
      'I5',
      'I7',
    ]);
  });

  it('when a decision is missing, twice, or about no order, then it is broken', () => {
    const decisions = (change: (list: ReturnType<typeof aRun>['books']['decisionMessages']) => typeof list): string[] =>
      broken(withBooks(aRun(), ({ decisionMessages }) => ({ decisionMessages: change(decisionMessages) })));
    expect(decisions((list) => drop(list, 3))).toEqual(['I4', 'I7', 'I14']);
    expect(decisions((list) => flip(double(list, 3), 4, { id: '9', messageId: 'd-again' }))).toEqual([
      'I4',
      'I7',
      'I14',
    ]);
    expect(decisions((list) => flip(list, 3, { orderId: '77' }))).toEqual(['I7', 'I14']);
  });

  it('when a decision was not noted, then it is broken', () => {
    expect(broken(withBooks(aRun(), ({ decisionNotes }) => ({ decisionNotes: drop(decisionNotes, 3) })))).toEqual([
      'I7',
    ]);
  });

  it('when there is a note of an unreadable body of the nemesis, then it is none without a message; of any other it is', () => {
    expect(broken(aPoisonedRun())).toEqual([]);
    const stray = withBooks(aRun(), ({ deductionNotes }) => ({
      deductionNotes: [...deductionNotes, ...aPoisonedRun().books.deductionNotes.slice(deductionNotes.length)],
    }));
    expect(broken(stray)).toEqual(['I7', 'I11']);
  });
});
