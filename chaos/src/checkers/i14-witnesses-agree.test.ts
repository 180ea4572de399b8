import { aRun } from '../testkit/facts-builder.js';
import { broken, double, drop, flip, withBooks } from '../testkit/mutate.js';

describe('I14, the witnesses agree', () => {
  it('when an order has another key than it was placed with, or stands there twice, then it is broken', () => {
    expect(
      broken(withBooks(aRun(), ({ orders }) => ({ orders: flip(orders, 3, { idempotencyKey: 'run-4' }) }))),
    ).toEqual(['I14']);
    expect(broken(withBooks(aRun(), ({ orders }) => ({ orders: double(orders, 3) })))).toEqual(['I3', 'I14']);
  });

  it('when a row was changed behind the ledger, then it is broken', () => {
    expect(
      broken(withBooks(aRun(), ({ orderMessages }) => ({ orderMessages: flip(orderMessages, 3, { version: 3 }) }))),
    ).toEqual(['I14']);
    expect(
      broken(withBooks(aRun(), ({ deductionNotes }) => ({ deductionNotes: flip(deductionNotes, 3, { version: 1 }) }))),
    ).toEqual(['I14']);
  });

  it('when a row moved that is in no table, then it is broken', () => {
    const { transitions } = aRun().books;
    const stranger = { ...transitions[0], id: '77' } as (typeof transitions)[0];
    expect(broken(withBooks(aRun(), () => ({ transitions: [...transitions, stranger] })))).toEqual(['I14']);
  });

  it('when the last move of a row is missing, then it is broken', () => {
    expect(broken(withBooks(aRun(), ({ transitions }) => ({ transitions: drop(transitions, 1) })))).toEqual(['I14']);
  });

  it('when a message was published more often than it was held for sending, then it is broken', () => {
    const twice = withBooks(aRun({ expected: { ...aRun().plan.expected, duplicatesAtMost: 9 } }), ({ tap }) => ({
      tap: new Map(tap).set('m3', 2),
    }));
    expect(broken(twice)).toEqual(['I14']);
  });

  it('when a message was sent over HTTP more often than it was held for sending, then it is broken, taken or not', () => {
    const once = (answered: number | null) =>
      withBooks(aRun(), ({ tap }) => ({
        http: [...(tap ?? [])].flatMap(([messageId, times]) =>
          Array.from({ length: times }, () => ({ messageId, answered, tookMs: 5 })),
        ),
      }));
    expect(broken(once(202))).toEqual([]);
    expect(
      broken(
        withBooks(once(202), ({ http }) => ({
          http: [...(http ?? []), { messageId: 'm3', answered: null, tookMs: 0 }],
        })),
      ),
    ).toEqual(['I14']);
  });
});
