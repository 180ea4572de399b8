import { readDeductions } from './read-deductions.js';
import { createWorkload, INITIAL_STOCK, ORDERS_PER_PRODUCT, type Workload } from './workload.js';

const indexes = (workload: Workload): number[] => Array.from({ length: workload.orderCount }, (_, index) => index);

/** The stock after each order was deducted as often as `times` says. */
function stockAfter(workload: Workload, times: (index: number) => number): Map<number, bigint> {
  const stock = new Map(workload.productIds.map((id) => [id, INITIAL_STOCK]));
  for (const index of indexes(workload)) {
    const { productId, quantity } = workload.order(index);
    stock.set(productId, (stock.get(productId) ?? 0n) - BigInt(quantity) * BigInt(times(index)));
  }
  return stock;
}

describe('the workload', () => {
  const workload = createWorkload({ seed: 7, orderCount: 10_000, firstProductId: 100 });

  it('when orders share a product, then their quantities are different powers of four', () => {
    const quantities = new Map<number, number[]>();
    for (const index of indexes(workload)) {
      const { productId, quantity } = workload.order(index);
      quantities.set(productId, [...(quantities.get(productId) ?? []), quantity]);
    }
    for (const [productId, taken] of quantities) {
      expect(workload.productIds).toContain(productId);
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.every((quantity) => Number.isInteger(Math.log2(quantity) / 2) && quantity <= 4 ** 14)).toBe(true);
    }
  });

  it('when the run is long, then half of the products take their orders in a row and half over the whole run', () => {
    const spans = new Map<number, { first: number; last: number }>();
    for (const index of indexes(workload)) {
      const { productId } = workload.order(index);
      spans.set(productId, { first: spans.get(productId)?.first ?? index, last: index });
    }
    const lengths = [...spans.values()].map(({ first, last }) => last - first);
    expect(lengths.filter((length) => length < ORDERS_PER_PRODUCT).length).toBe(lengths.length / 2);
    expect(lengths.filter((length) => length > 8_000).length).toBe(lengths.length / 2);
  });

  it('when the seed is the same, then the orders are the same, and with another seed they are not', () => {
    const quantities = (seed: number): number[] => {
      const planned = createWorkload({ seed, orderCount: 300 });
      return indexes(planned).map((index) => planned.order(index).quantity);
    };
    expect(quantities(1)).toEqual(quantities(1));
    expect(quantities(1)).not.toEqual(quantities(2));
  });

  it('when an order is looked up by its product and digit, then it is that order', () => {
    for (const index of indexes(workload)) {
      const { productId, quantity } = workload.order(index);
      expect(workload.orderAt(productId, Math.log2(quantity) / 2)).toBe(index);
    }
  });
});

describe('reading the deductions from the stock', () => {
  const workload = createWorkload({ seed: 3, orderCount: 1_007 });

  it('when every order was deducted once, then every order reads 1 and no product is odd', () => {
    const { times, odd, unreadable } = readDeductions(
      workload,
      stockAfter(workload, () => 1),
    );
    expect(times.every((count) => count === 1)).toBe(true);
    expect([...odd, ...unreadable]).toEqual([]);
  });

  it('when orders were lost, doubled and tripled, then each of them reads so, and the others read 1', () => {
    const truth = (index: number): number => ({ 0: 0, 17: 2, 500: 3, 1_006: 0 })[index] ?? 1;
    const { times, odd } = readDeductions(workload, stockAfter(workload, truth));
    expect([...times]).toEqual(indexes(workload).map(truth));
    expect(odd.map(({ productId }) => productId).sort()).toEqual(
      [0, 17, 500, 1_006].map((index) => workload.order(index).productId).sort(),
    );
  });

  it('when an order was rejected, then it is expected to read 0', () => {
    const stock = stockAfter(workload, (index) => (index === 40 ? 0 : 1));
    expect(readDeductions(workload, stock, (index) => (index === 40 ? 0 : 1)).odd).toEqual([]);
    expect(readDeductions(workload, stock).odd).toHaveLength(1);
  });

  it('when an order was deducted four times, then the carry shows as an odd product', () => {
    const { odd, unreadable } = readDeductions(
      workload,
      stockAfter(workload, (index) => (index === 8 ? 4 : 1)),
    );
    expect([...odd, ...unreadable].map(({ productId }) => productId)).toEqual([workload.order(8).productId]);
  });

  it('when stock grew, is missing beyond all digits, or a product is gone, then the product is unreadable', () => {
    const stock = stockAfter(workload, () => 1);
    const [grown = 0, drained = 0, gone = 0] = workload.productIds;
    stock
      .set(grown, INITIAL_STOCK + 1n)
      .set(drained, 0n)
      .delete(gone);
    const { unreadable } = readDeductions(workload, stock);
    expect(unreadable.map(({ productId }) => productId)).toEqual([grown, drained, gone]);
  });
});
