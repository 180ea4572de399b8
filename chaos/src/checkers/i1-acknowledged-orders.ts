import type { Invariant, RunFacts } from '../facts.js';
import { NO_ORDERS, told } from './finding.js';
import { groupBy } from './lookup.js';

/** Every order that was acknowledged is in the books, under the id that was answered. */
export const acknowledgedOrders = (facts: RunFacts): Invariant =>
  told({ id: 'I1', needs: ['placed'] }, facts, () => {
    const placed = groupBy(facts.books.placed, ({ index }) => index);
    const anomalies: string[] = [];
    let acknowledged = 0;
    for (const record of facts.history) {
      if (record.kind !== 'order' || record.outcome !== 'ok') continue;
      acknowledged += 1;
      const orders = placed.get(record.index) ?? [];
      if (orders.length === 0) anomalies.push(`order ${String(record.index)} was acknowledged and is not in the books`);
      else if (record.orderId !== null && orders.every(({ orderId }) => orderId !== record.orderId))
        anomalies.push(
          `order ${String(record.index)} was acknowledged as ${record.orderId} and stands under another id`,
        );
    }
    if (acknowledged === 0) return facts.load.attempted === 0 ? NO_ORDERS : 'no order was acknowledged';
    return { detail: `${String(acknowledged)} acknowledged`, anomalies };
  });
