import { aRun } from '../testkit/facts-builder.js';
import { broken, drop, isOrder, untold, withBooks, withEnd, withHistory } from '../testkit/mutate.js';

describe('I1, every acknowledged order is in the books', () => {
  it('when an acknowledged order is missing from its ledger, then it is broken, and so is what the order took', () => {
    expect(broken(withBooks(aRun(), ({ placed }) => ({ placed: drop(placed, 3) })))).toEqual(['I1', 'I5', 'I14']);
  });

  it('when an acknowledged order left no trace at all, then only the client knows', () => {
    const lost = withBooks(aRun(), (books) => ({
      placed: drop(books.placed, 29),
      orders: drop(books.orders, 29),
      orderMessages: drop(books.orderMessages, 29),
      decisionMessages: drop(books.decisionMessages, 29),
      deductionNotes: drop(books.deductionNotes, 29),
      decisionNotes: drop(books.decisionNotes, 29),
      transitions: books.transitions.slice(0, -3),
      tap: new Map([...(books.tap ?? [])].filter(([id]) => id !== 'm29')),
      decisionTap: new Map([...(books.decisionTap ?? [])].filter(([id]) => id !== 'd29')),
      stockChanges: drop(books.stockChanges, 29),
      endStock: new Map(books.endStock).set(
        books.stockChanges[29]?.productId ?? 0,
        books.stockChanges[29]?.before ?? 0n,
      ),
    }));
    expect(broken(lost)).toEqual(['I1']);
  });

  it('when an order stands under another id than was answered, then it is broken', () => {
    const renamed = withHistory(aRun(), (record) =>
      isOrder(record, 3) ? ({ ...record, kind: 'order', orderId: '9' } as typeof record) : record,
    );
    expect(broken(renamed)).toEqual(['I1']);
  });

  it('when the ledger was not read or nothing was acknowledged, then it cannot be told', () => {
    expect(untold(withEnd(aRun(), { unread: ['placed: gone'] }))).toEqual(['I1', 'I2', 'I5', 'I7', 'I14']);
    const unanswered = withHistory(aRun(), (record) =>
      record.kind === 'order' ? { ...record, outcome: 'info' } : record,
    );
    expect(untold(unanswered)).toContain('I1');
  });

  it('when an order of unknown outcome is in the books, then nothing is broken but the count', () => {
    const flipped = withHistory(aRun(), (record) =>
      record.kind === 'order' && record.index === 3 ? { ...record, outcome: 'info' } : record,
    );
    expect(broken({ ...flipped, load: { ...flipped.load, ok: 29, info: 1, unknown: [3] } })).toEqual([]);
  });
});
