import type { Decision, Deduction } from '@counterfoil/contracts';

export interface StockDecisions {
  readonly decisions: readonly Decision[];
  /** What is to be taken from each product in all. */
  readonly taken: ReadonlyMap<number, bigint>;
}

/**
 * Order by order: what fits is confirmed, what does not is rejected. Pure.
 *
 * @param stock what each product has, under its lock
 * @throws Error for a product that is not there: the product may be on its way, so the order is tried again
 */
export function decideStock(deductions: readonly Deduction[], stock: ReadonlyMap<number, bigint>): StockDecisions {
  const taken = new Map<number, bigint>();
  const decisions = deductions.map(({ orderId, productId, quantity }): Decision => {
    const had = stock.get(productId);
    if (had === undefined) throw new Error(`There is no product ${String(productId)} (yet)`);
    const total = (taken.get(productId) ?? 0n) + BigInt(quantity);
    if (total > had) return { orderId, outcome: 'REJECTED', reason: 'not enough stock' };
    taken.set(productId, total);
    return { orderId, outcome: 'CONFIRMED' };
  });
  return { decisions, taken };
}
