import { seededRandom } from './random.js';
import { createWorkload, INITIAL_STOCK, type PlannedOrder } from './workload.js';

/** powers: the arithmetic witness; hot: everybody wants one product; sold-out: there is enough for about half. */
export type WorkloadKind = 'powers' | 'hot' | 'sold-out';

/** What a load asks for, order by order, and what is in stock before it. */
export interface AskedOrders {
  readonly productIds: readonly number[];
  /** Of each product. */
  readonly stock: bigint;
  order(index: number): PlannedOrder;
}

export interface AskedOrdersOptions {
  readonly kind: WorkloadKind;
  readonly seed: number;
  readonly orderCount: number;
  readonly firstProductId?: number;
}

/** Equal quantities would let a lost and a doubled order cancel each other. */
const HOT_MOST = 1_000_000;
const SOLD_OUT_MOST = 9;

export function askedOrders({ kind, seed, orderCount, firstProductId = 1 }: AskedOrdersOptions): AskedOrders {
  if (kind === 'powers') {
    const workload = createWorkload({ seed, orderCount, firstProductId });
    return { productIds: workload.productIds, stock: INITIAL_STOCK, order: (index) => workload.order(index) };
  }
  const most = kind === 'hot' ? HOT_MOST : SOLD_OUT_MOST;
  const quantities = Array.from({ length: orderCount }, quantitiesUpTo(most, seed));
  const asked = quantities.reduce((total, quantity) => total + quantity, 0);
  return {
    productIds: [firstProductId],
    stock: BigInt(kind === 'hot' ? 2 * asked : Math.floor(asked / 2)),
    order: (index) => ({ productId: firstProductId, quantity: quantities[index] ?? 1 }),
  };
}

function quantitiesUpTo(most: number, seed: number): () => number {
  const random = seededRandom(seed);
  return () => 1 + Math.floor(random() * most);
}
