import { seededRandom, shuffled } from './random.js';

/** A product takes at most this many orders, of 4^0 … 4^14 pieces: the largest power of four within an INT. */
export const ORDERS_PER_PRODUCT = 15;
/** More than all orders of a product take even if each is deducted three times, so that a double is never rejected. */
export const INITIAL_STOCK = 4n ** 16n;

export interface PlannedOrder {
  readonly productId: number;
  readonly quantity: number;
}

/**
 * The arithmetic witness: because the quantities of a product's orders are different powers of four, the stock that
 * is missing in the end, written in base 4, spells how many times each order was deducted.
 */
export interface Workload {
  readonly orderCount: number;
  readonly productIds: readonly number[];
  order(index: number): PlannedOrder;
  /** The order that takes 4^digit pieces of a product, or null: not every product takes all fifteen. */
  orderAt(productId: number, digit: number): number | null;
}

export interface WorkloadOptions {
  readonly seed: number;
  readonly orderCount: number;
  readonly firstProductId?: number;
}

/**
 * Fifteen orders of one product in a row, then fifteen that go once around the other products, and so on: half of
 * the products meet themselves within a batch, the other half are spread over the whole run.
 */
export function createWorkload({ seed, orderCount, firstProductId = 1 }: WorkloadOptions): Workload {
  const blocks = Math.ceil(orderCount / (2 * ORDERS_PER_PRODUCT));
  const random = seededRandom(seed);
  const digits = Array.from({ length: 2 * blocks }, () => shuffled(ORDERS_PER_PRODUCT, random));

  const digitOf = (product: number, turn: number): number => digits[product]?.[turn] ?? 0;
  const place = (index: number): { product: number; digit: number } => {
    const block = Math.floor(index / (2 * ORDERS_PER_PRODUCT));
    const inBlock = index % (2 * ORDERS_PER_PRODUCT);
    if (inBlock < ORDERS_PER_PRODUCT) return { product: block, digit: digitOf(block, inBlock) };
    const spread = block * ORDERS_PER_PRODUCT + inBlock - ORDERS_PER_PRODUCT;
    const product = blocks + (spread % blocks);
    return { product, digit: digitOf(product, Math.floor(spread / blocks)) };
  };

  const indexes = new Int32Array(2 * blocks * ORDERS_PER_PRODUCT).fill(-1);
  for (let index = 0; index < orderCount; index += 1) {
    const { product, digit } = place(index);
    indexes[product * ORDERS_PER_PRODUCT + digit] = index;
  }
  return {
    orderCount,
    productIds: Array.from({ length: 2 * blocks }, (_, product) => firstProductId + product),
    order: (index) => {
      const { product, digit } = place(index);
      return { productId: firstProductId + product, quantity: 4 ** digit };
    },
    orderAt: (productId, digit) => {
      const index = indexes[(productId - firstProductId) * ORDERS_PER_PRODUCT + digit] ?? -1;
      return index < 0 ? null : index;
    },
  };
}
