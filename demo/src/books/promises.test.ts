import { countsOf } from '@counterfoil/chaos';
import { aRun, flip, withBooks } from '@counterfoil/chaos/testkit';

import { promises } from './promises.js';

const found = (facts: ReturnType<typeof aRun>) =>
  Object.fromEntries(promises(facts, countsOf(facts)).map(({ what, found: number, holds }) => [what, [number, holds]]));

describe('the books in plain words', () => {
  it('when all is well, then nothing is lost, doubled or missing', () => {
    expect(found(aRun())).toMatchObject({
      'orders acknowledged': [30, true],
      'orders in the books': [30, true],
      'orders lost': [0, true],
      'orders deducted twice': [0, true],
      'messages published again, and absorbed': [2, true],
      'pieces missing or too many in stock': [0n, true],
    });
  });

  it('when stock was taken twice, then an order is doubled and pieces are missing', () => {
    const { productId = 0, quantity = 0 } = aRun().books.placed[3] ?? {};
    const twice = withBooks(aRun(), ({ endStock }) => ({
      endStock: new Map(endStock).set(productId, (endStock.get(productId) ?? 0n) - BigInt(quantity)),
    }));
    expect(found(twice)).toMatchObject({
      'orders deducted twice': [1, false],
      'pieces missing or too many in stock': [BigInt(quantity), false],
    });
  });

  it('when an order was rejected, then its pieces are still there', () => {
    const rejected = withBooks(aRun(), ({ orders }) => ({ orders: flip(orders, 3, { status: 'REJECTED' }) }));
    expect(found(rejected)['orders rejected']).toEqual([1, true]);
    expect(found(rejected)['pieces missing or too many in stock']?.[1]).toBe(false);
  });

  it('when the stock was not read, then nobody can tell', () => {
    expect(found(withBooks(aRun(), () => ({ endStock: new Map() })))['pieces missing or too many in stock']).toEqual([
      null,
      null,
    ]);
  });
});
