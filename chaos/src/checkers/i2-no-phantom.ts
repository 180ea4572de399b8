import type { Invariant, PlacedOrder, RunFacts } from '../facts.js';
import { askedOrders } from './asked-orders.js';
import { NO_ORDERS, told } from './finding.js';
import { groupBy } from './lookup.js';

/** No order is in the books that failed, was never sent, or is not what was asked for, and none twice under one key. */
export const noPhantom = (facts: RunFacts): Invariant =>
  told({ id: 'I2', needs: ['placed'] }, facts, () => {
    const { placed } = facts.books;
    if (facts.load.attempted === 0 && placed.length === 0) return NO_ORDERS;
    return { detail: `${String(placed.length)} in the books`, anomalies: [...strangers(facts), ...twice(placed)] };
  });

function strangers(facts: RunFacts): string[] {
  const outcomes = new Map(facts.history.flatMap((r) => (r.kind === 'order' ? [[r.index, r.outcome] as const] : [])));
  const asked = askedOrders(facts);
  return facts.books.placed.flatMap(({ orderId, index, productId, quantity }) => {
    if (index === null) return [`order ${orderId} has no key of this load`];
    const outcome = outcomes.get(index);
    if (index >= facts.load.attempted) return [`order ${String(index)} was never sent and is in the books`];
    if (outcome === 'fail') return [`order ${String(index)} failed and is in the books`];
    const order = asked?.order(index);
    const isAsked = order === undefined || (order.productId === productId && order.quantity === quantity);
    return isAsked ? [] : [`order ${String(index)} is not what was asked for`];
  });
}

const twice = (placed: readonly PlacedOrder[]): string[] =>
  [...groupBy(placed, ({ index }) => index)]
    .filter(([index, orders]) => index !== null && orders.length > 1)
    .map(([index, orders]) => `order ${String(index)} is in the books ${String(orders.length)} times`);
