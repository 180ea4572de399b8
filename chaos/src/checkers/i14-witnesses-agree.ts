import type { Invariant, RunFacts } from '../facts.js';
import { told } from './finding.js';
import { groupBy } from './lookup.js';
import { ledgerAgainstRows, tapAgainstLedger } from './transitions-agree.js';

/** Ledgers, tables, tap and stock tell one story: each was written by somebody else. */
export const witnessesAgree = (facts: RunFacts): Invariant =>
  told({ id: 'I14', needs: NEEDS }, facts, () => {
    const { books } = facts;
    if (books.placed.length + books.orders.length === 0) return 'there is no order';
    return {
      detail: `${String(books.placed.length)} placed, ${String(books.stockChanges.length)} changes of stock, ${String(books.transitions.length)} transitions`,
      anomalies: [
        ...placedAgainstOrders(facts),
        ...decisionsAgainstStock(facts),
        ...ledgerAgainstRows(books),
        ...tapAgainstLedger(books),
      ],
    };
  });

const NEEDS = [
  ...(['placed', 'orders', 'orderMessages', 'decisionMessages', 'deductionNotes', 'decisionNotes'] as const),
  ...(['stockChanges', 'startStock', 'endStock', 'transitions', 'tap'] as const),
];

function placedAgainstOrders({ books: { placed, orders } }: RunFacts): string[] {
  const ledger = groupBy(placed, ({ orderId }) => orderId);
  const rows = groupBy(orders, ({ orderId }) => orderId);
  const keyFits = (key: string | null, index: number | null): boolean =>
    index === null || key?.endsWith(`-${String(index)}`) === true;
  return [
    ...[...ledger.keys()].filter((id) => !rows.has(id)).map((id) => `order ${id} was placed and is no row any more`),
    ...[...rows.keys()].filter((id) => !ledger.has(id)).map((id) => `order ${id} is a row and was never placed`),
    ...[...ledger].filter(([, entries]) => entries.length > 1).map(([id]) => `order ${id} was placed twice`),
    ...[...rows].filter(([, entries]) => entries.length > 1).map(([id]) => `order ${id} is two rows`),
    ...orders
      .filter(({ orderId, idempotencyKey }) =>
        ledger.get(orderId)?.some(({ index }) => !keyFits(idempotencyKey, index)),
      )
      .map(({ orderId }) => `order ${orderId} has another key than it was placed with`),
  ];
}

/** What was confirmed of a product is what its ledger says was taken, and what is missing. */
function decisionsAgainstStock({ books }: RunFacts): string[] {
  const confirmed = new Set(
    books.decisionMessages.filter(({ outcome }) => outcome === 'CONFIRMED').map(({ orderId }) => orderId),
  );
  const promised = new Map<number, bigint>();
  for (const { orderId, productId, quantity } of books.placed) {
    if (confirmed.has(orderId)) promised.set(productId, (promised.get(productId) ?? 0n) + BigInt(quantity));
  }
  const taken = new Map<number, bigint>();
  for (const { productId, before, after } of books.stockChanges)
    taken.set(productId, (taken.get(productId) ?? 0n) + before - after);
  return [...books.startStock].flatMap(([productId, start]) => {
    const counts = [
      promised.get(productId) ?? 0n,
      taken.get(productId) ?? 0n,
      start - (books.endStock.get(productId) ?? 0n),
    ];
    if (new Set(counts).size === 1) return [];
    return [`product ${String(productId)}: confirmed, taken by the ledger, missing: ${counts.join(', ')}`];
  });
}
