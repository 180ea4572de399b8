import type { Invariant, RunFacts, StockChange } from '../facts.js';
import { told } from './finding.js';
import { groupBy } from './lookup.js';

/** No update of the stock was lost: every change begins where the one before ended, from the start to the end, and only falls. */
export const stockLedger = (facts: RunFacts): Invariant =>
  told({ id: 'I6', needs: ['startStock', 'endStock', 'stockChanges'] }, facts, () => {
    const { startStock, endStock, stockChanges } = facts.books;
    if (startStock.size === 0) return 'nobody wrote down the stock before the load';
    const changes = groupBy(stockChanges, ({ productId }) => productId);
    const products = new Set([...startStock.keys(), ...endStock.keys(), ...changes.keys()]);
    return {
      detail: `${String(stockChanges.length)} changes of ${String(products.size)} products`,
      anomalies: [...products].flatMap((id) =>
        brokenChain(id, changes.get(id) ?? [], startStock.get(id), endStock.get(id)),
      ),
    };
  });

function brokenChain(
  productId: number,
  changes: readonly StockChange[],
  start: bigint | undefined,
  end: bigint | undefined,
): string[] {
  const of = `product ${String(productId)}`;
  if (start === undefined) return [`${of} was not there at the start`];
  if (end === undefined) return [`${of} is gone`];
  const anomalies: string[] = [];
  let stock = start;
  for (const { before, after } of changes) {
    if (before !== stock) anomalies.push(`${of} was left at ${String(stock)} and taken up at ${String(before)}`);
    if (after > before) anomalies.push(`${of} rose from ${String(before)} to ${String(after)}`);
    if (after < 0n) anomalies.push(`${of} fell to ${String(after)}`);
    stock = after;
  }
  if (stock !== end) anomalies.push(`${of} was left at ${String(stock)} and ended at ${String(end)}`);
  return anomalies;
}
