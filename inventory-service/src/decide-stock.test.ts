import type { Deduction } from '@counterfoil/contracts';
import fc from 'fast-check';

import { decideStock } from './decide-stock.js';

const order = (orderId: string, quantity: number, productId = 1): Deduction => ({ orderId, productId, quantity });

describe('order by order', () => {
  it('when an order does not fit, then it is rejected, and a smaller one behind it is confirmed', () => {
    const { decisions, taken } = decideStock([order('1', 3), order('2', 3), order('3', 2)], new Map([[1, 5n]]));
    expect(decisions.map(({ outcome }) => outcome)).toEqual(['CONFIRMED', 'REJECTED', 'CONFIRMED']);
    expect(taken).toEqual(new Map([[1, 5n]]));
  });

  it('when everything is sold out, then nothing is taken', () => {
    const { decisions, taken } = decideStock([order('1', 1), order('2', 1)], new Map([[1, 0n]]));
    expect(decisions.every(({ outcome }) => outcome === 'REJECTED')).toBe(true);
    expect(taken.size).toBe(0);
  });

  it('when there is no such product, then it is an error: the product may be on its way', () => {
    expect(() => decideStock([order('1', 1, 2)], new Map([[1, 5n]]))).toThrow('There is no product 2 (yet)');
  });

  it('when the sum is above 2^53, then it is exact', () => {
    const { taken } = decideStock([order('1', 1), order('2', 2)], new Map([[1, 2n ** 62n]]));
    expect(taken.get(1)).toBe(3n);
  });

  it('whatever the orders, then never more is taken than is there, and what is taken is the sum of what is confirmed', () => {
    const orders = fc.array(
      fc.record({
        orderId: fc.constant('1'),
        productId: fc.integer({ min: 1, max: 3 }),
        quantity: fc.integer({ min: 1, max: 20 }),
      }),
    );
    const stock = fc.tuple(fc.bigInt(0n, 60n), fc.bigInt(0n, 60n), fc.bigInt(0n, 60n));
    fc.assert(
      fc.property(orders, stock, (deductions, had) => {
        const { decisions, taken } = decideStock(deductions, new Map(had.map((amount, index) => [index + 1, amount])));
        for (const [index, amount] of had.entries()) {
          const confirmed = deductions.filter(
            (one, at) => one.productId === index + 1 && decisions[at]?.outcome === 'CONFIRMED',
          );
          const sum = confirmed.reduce((total, { quantity }) => total + BigInt(quantity), 0n);
          expect(taken.get(index + 1) ?? 0n).toBe(sum);
          expect(sum <= amount).toBe(true);
        }
      }),
    );
  });
});
