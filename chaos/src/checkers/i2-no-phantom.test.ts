import type { RunFacts } from '../facts.js';
import { aRun } from '../testkit/facts-builder.js';
import { broken, double, flip, withBooks, withHistory } from '../testkit/mutate.js';

describe('I2, no order is in the books that should not be', () => {
  const failedOrder = (): RunFacts => {
    const facts = withHistory(aRun(), (record) =>
      record.kind === 'order' && record.index === 3 ? { ...record, outcome: 'fail' } : record,
    );
    return { ...facts, load: { ...facts.load, ok: 29, fail: 1, failed: [3] } };
  };

  it('when an order failed for the client and is in the books, then it is broken', () => {
    expect(broken(failedOrder())).toEqual(['I2']);
  });

  it('when an order is placed twice under one key, then it is broken', () => {
    const twice = withBooks(aRun(), ({ placed }) => ({ placed: flip(double(placed, 3), 4, { orderId: '9' }) }));
    expect(broken(twice)).toEqual(['I2', 'I14']);
  });

  it.each([
    ['has no key of this load', { index: null }],
    ['was never sent', { index: 77 }],
    ['is of another product than was asked for', { productId: 2 }],
    ['is of another quantity than was asked for', { quantity: 3 }],
  ])('when an order in the books %s, then it is broken', (_what, change) => {
    expect(broken(withBooks(aRun(), ({ placed }) => ({ placed: flip(placed, 3, change) })))).toContain('I2');
  });
});
