import type { RunFacts, VerdictCounts } from '@counterfoil/chaos';

/** A line of the books in plain words: what is counted, and what was found. */
export interface Promised {
  readonly what: string;
  readonly found: number | bigint | string | null;
  /** null: nobody can tell. */
  readonly holds: boolean | null;
}

/** What the harness's witnesses found, for people who do not know its invariants. */
export function promises({ books, load }: RunFacts, counts: VerdictCounts): Promised[] {
  const { lost, doubled, phantom, duplicates } = counts;
  const difference = stockDifference(books);
  return [
    { what: 'orders acknowledged', found: load.ok, holds: true },
    ...(load.fail > 0 ? [{ what: 'orders refused', found: load.fail, holds: true }] : []),
    ...(load.info > 0 ? [{ what: 'orders without an answer', found: load.info, holds: true }] : []),
    { what: 'orders in the books', found: counts.placed, holds: true },
    ...(counts.rejected > 0 ? [{ what: 'orders rejected', found: counts.rejected, holds: true }] : []),
    { what: 'orders confirmed', found: counts.confirmed, holds: true },
    { what: 'orders lost', found: lost, holds: none(lost) },
    { what: 'orders deducted twice', found: doubled, holds: none(doubled) },
    { what: 'stock taken without an order', found: phantom, holds: none(phantom) },
    { what: doubled === 0 ? ABSORBED : AGAIN, found: duplicates, holds: duplicates === null ? null : true },
    { what: 'pieces missing or too many in stock', found: difference, holds: none(difference) },
  ];
}

const AGAIN = 'messages published again';
const ABSORBED = `${AGAIN}, and absorbed`;

const none = (count: number | bigint | null): boolean | null => (count === null ? null : Number(count) === 0);

/** Stock before − pieces of the confirmed orders − stock after; null when the stock was not read. */
function stockDifference({ startStock, endStock, placed, orders }: RunFacts['books']): bigint | null {
  if (startStock.size === 0 || endStock.size === 0) return null;
  const confirmed = new Set(orders.filter(({ status }) => status === 'CONFIRMED').map(({ orderId }) => orderId));
  const promised = sum(placed.filter(({ orderId }) => confirmed.has(orderId)).map(({ quantity }) => BigInt(quantity)));
  return sum(startStock.values()) - promised - sum(endStock.values());
}

const sum = (counts: Iterable<bigint>): bigint => [...counts].reduce((total, count) => total + count, 0n);
