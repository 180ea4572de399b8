import { INITIAL_STOCK, ORDERS_PER_PRODUCT, type Workload } from './workload.js';

/** A product whose missing stock is not what its orders say. */
export interface OddProduct {
  readonly productId: number;
  /** What is missing; null when the product is not there any more. */
  readonly missing: bigint | null;
  /** The missing stock in base 4, lowest digit first; a carry (an order deducted four times or more) reads as the neighbour's digit. */
  readonly digits: readonly number[];
}

export interface Deductions {
  /** By order: how many times it was deducted, 0 to 3. */
  readonly times: Uint8Array;
  /** Products of which more is missing than their digits can say, more is there than at the start, or that are gone. */
  readonly unreadable: readonly OddProduct[];
  /** Products with a digit other than `expected`; the unreadable ones are not among them. */
  readonly odd: readonly OddProduct[];
}

/**
 * Reads from the stock alone how many times each order was deducted: 0 lost, 1 right, 2 or 3 doubled. Pure.
 *
 * @param stock by product id, in the end
 * @param expected how often an order should have been deducted; default once
 */
export function readDeductions(
  workload: Workload,
  stock: ReadonlyMap<number, bigint>,
  expected: (index: number) => number = () => 1,
): Deductions {
  const times = new Uint8Array(workload.orderCount);
  const unreadable: OddProduct[] = [];
  const odd: OddProduct[] = [];
  for (const productId of workload.productIds) {
    const left = stock.get(productId);
    const missing = left === undefined ? null : INITIAL_STOCK - left;
    const digits = missing === null || missing < 0n ? [] : digitsOf(missing);
    const product = { productId, missing, digits };
    if (digits.length !== ORDERS_PER_PRODUCT) {
      unreadable.push(product);
      continue;
    }
    const isOdd = digits.map((digit, position) => {
      const index = workload.orderAt(productId, position);
      if (index !== null) times[index] = digit;
      return digit !== (index === null ? 0 : expected(index));
    });
    if (isOdd.includes(true)) odd.push(product);
  }
  return { times, unreadable, odd };
}

/** In base 4, lowest first; longer than fifteen when more is missing than fifteen digits can say. */
function digitsOf(missing: bigint): number[] {
  const digits: number[] = [];
  for (let rest = missing; rest > 0n || digits.length < ORDERS_PER_PRODUCT; rest /= 4n) digits.push(Number(rest % 4n));
  return digits;
}
