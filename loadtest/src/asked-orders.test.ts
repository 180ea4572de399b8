import { askedOrders } from './asked-orders.js';

const sumOf = (count: number, order: (index: number) => { quantity: number }): number =>
  Array.from({ length: count }, (_, index) => order(index).quantity).reduce((total, quantity) => total + quantity, 0);

describe('what a load asks for', () => {
  it('when the seed is the same, then so are the orders', () => {
    const make = (seed: number) => askedOrders({ kind: 'hot', seed, orderCount: 50 });
    expect(Array.from({ length: 50 }, (_, index) => make(1).order(index))).toEqual(
      Array.from({ length: 50 }, (_, index) => make(1).order(index)),
    );
    expect(make(1).order(0)).not.toEqual(make(2).order(0));
  });

  it('when one product is hot, then there is enough of it even if every order were deducted twice', () => {
    const { order, stock, productIds } = askedOrders({ kind: 'hot', seed: 3, orderCount: 500 });
    expect(productIds).toHaveLength(1);
    expect(stock).toBeGreaterThanOrEqual(BigInt(2 * sumOf(500, order)));
  });

  it('when a product sells out, then there is enough of it for about half of what is asked', () => {
    const { order, stock } = askedOrders({ kind: 'sold-out', seed: 3, orderCount: 500 });
    expect(Number(stock) / sumOf(500, order)).toBeCloseTo(0.5, 1);
  });
});
