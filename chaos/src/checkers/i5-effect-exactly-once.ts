import type { Invariant, RunFacts } from '../facts.js';
import { digitsText, missedOrders, ordersDue, spelledDeductions, type Spelled } from './arithmetic.js';
import { NO_ORDERS, told } from './finding.js';
import { groupBy } from './lookup.js';

/** Every order took effect exactly once or was rejected; read from the stock, whatever the services say. */
export const effectExactlyOnce = (facts: RunFacts): Invariant =>
  told(
    { id: 'I5', needs: ['startStock', 'endStock', 'placed', 'orders', 'orderMessages', 'deductionNotes'] },
    facts,
    () => {
      const { placed, startStock } = facts.books;
      if (startStock.size === 0) return 'nobody wrote down the stock before the load';
      if (placed.length === 0) return facts.load.attempted === 0 ? NO_ORDERS : 'no order is in the books';
      const spelled = spelledDeductions(facts);
      return {
        detail: `${String(placed.length)} orders of ${String(startStock.size)} products`,
        anomalies: [...(spelled === null ? wrongSums(facts) : wrongDigits(spelled)), ...wrongRejections(facts)],
      };
    },
  );

function wrongDigits(spelled: Spelled): string[] {
  const { lost, doubled, phantom } = missedOrders(spelled);
  const of = (index: number): string =>
    `order ${String(index)} of product ${String(spelled.workload.order(index).productId)}`;
  const digit = (index: number): string => String(spelled.times[index]);
  const explained = new Set([...lost, ...doubled, ...phantom].map((index) => spelled.workload.order(index).productId));
  // A carry reads as the neighbour's digit, or as that of no order at all: then the product is all there is to name.
  const odd = [...spelled.odd, ...spelled.unreadable].filter(({ productId }) => !explained.has(productId));
  return [
    ...lost.map((index) => `${of(index)} was never deducted`),
    ...doubled.map((index) => `${of(index)} was deducted ${digit(index)} times`),
    ...phantom.map((index) => `${of(index)} was deducted without being due`),
    ...odd.map(({ productId, digits }) => `product ${String(productId)} spells ${digitsText(digits)}`),
  ];
}

/** Where quantities are random, a lost and a doubled order do not cancel. */
function wrongSums(facts: RunFacts): string[] {
  const { startStock, endStock } = facts.books;
  const due = groupBy(ordersDue(facts), ({ productId }) => productId);
  return [...startStock].flatMap(([productId, start]) => {
    const quantities = (due.get(productId) ?? []).map(({ quantity }) => BigInt(quantity));
    const wanted = quantities.reduce((total, quantity) => total + quantity, 0n);
    const missing = start - (endStock.get(productId) ?? start + 1n);
    if (missing === wanted) return [];
    const which = missing < wanted ? 'lost' : 'doubled';
    return [`product ${String(productId)}: ${String(missing)} taken, ${String(wanted)} due: something is ${which}`];
  });
}

/** Stock only falls during a run, so what fits in the end has fitted all the time. */
function wrongRejections({ books }: RunFacts): string[] {
  const rejected = new Set(books.orders.filter(({ status }) => status === 'REJECTED').map(({ orderId }) => orderId));
  return books.placed
    .filter(
      ({ orderId, productId, quantity }) =>
        rejected.has(orderId) && BigInt(quantity) <= (books.endStock.get(productId) ?? 0n),
    )
    .map(({ orderId }) => `order ${orderId} was rejected although there was stock enough`);
}
