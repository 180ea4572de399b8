import { digitsText } from '../../checkers/arithmetic.js';
import type { RunFacts } from '../../facts.js';
import { event, type LifeEvent } from './event.js';

const SHOWN = 40;

/** Who asked for a product, and how its stock went. */
export function productLife({ books }: RunFacts, productId: number): LifeEvent[] {
  const start = books.startStock.get(productId);
  const end = books.endStock.get(productId);
  const orders = books.placed.filter((one) => one.productId === productId);
  const changes = books.stockChanges.filter((one) => one.productId === productId);
  return [
    event('stock', `${stockText(start)} at the start`),
    ...shortened(
      orders.map(({ orderId, index, quantity }) =>
        event('order ledger', `order ${orderId} (number ${String(index)}) of ${String(quantity)}`),
      ),
    ),
    ...shortened(
      changes.map(({ before, after }) =>
        event('stock ledger', `${String(before)} → ${String(after)}: ${spelled(before - after)}`),
      ),
    ),
    event('stock', `${stockText(end)} at the end: ${spelled((start ?? 0n) - (end ?? 0n))}`),
  ];
}

const stockText = (stock: bigint | undefined): string => (stock === undefined ? 'not there' : String(stock));

/** Base 4, lowest digit first, as the checkers write it. */
const spelled = (taken: bigint): string =>
  taken < 0n
    ? `${String(-taken)} came back`
    : `${String(taken)} taken, spelling ${digitsText(Array.from(taken.toString(4), Number).reverse())}`;

function shortened(events: readonly LifeEvent[]): LifeEvent[] {
  const more = events.length - SHOWN;
  return more <= 0
    ? [...events]
    : [...events.slice(0, SHOWN), event(events[0]?.who ?? '', `… and ${String(more)} more`)];
}
