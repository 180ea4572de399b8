import { rowsSeen } from '../../checkers/rows-seen.js';
import type { Books } from '../../facts.js';

/** What an anomaly is about. */
export type Subject =
  | { readonly kind: 'order'; readonly index: number | null; readonly orderId: string | null }
  | { readonly kind: 'product'; readonly productId: number };

/** Checkers name what they found in words; this finds the order or the product in them again. */
export function subjectFinder(books: Books): (anomaly: string) => Subject | null {
  const rows = rowsSeen(books);
  const orderOf = ordersByMessage(books);
  const indexes = new Map(books.placed.map(({ orderId, index }) => [orderId, index]));
  const orderIds = new Map(books.placed.map(({ orderId, index }) => [index, orderId]));
  const ofOrder = (orderId: string): Subject => ({ kind: 'order', orderId, index: indexes.get(orderId) ?? null });

  return (anomaly) => {
    const row = /(?:order|inventory) (?:producer|consumer)_message \d+/.exec(anomaly)?.[0];
    const messageId = rows.get(row ?? '')?.row.messageId ?? wordsOf(anomaly).find((word) => orderOf.has(word));
    const orderId = orderOf.get(messageId ?? '');
    if (orderId !== undefined) return ofOrder(orderId);
    const number = /\border (\d+)/.exec(anomaly)?.[1];
    // The load's number and the service's id are both called "order"; ids are far larger than any load is long.
    if (number !== undefined && indexes.has(number)) return ofOrder(number);
    const index = Number(number);
    if (number !== undefined) return { kind: 'order', index, orderId: orderIds.get(index) ?? null };
    const product = /\bproduct (\d+)/.exec(anomaly)?.[1];
    return product === undefined ? null : { kind: 'product', productId: Number(product) };
  };
}

/** Ids of deductions and decisions alike. */
function ordersByMessage({ orders, orderMessages, decisionMessages }: Books): Map<string, string> {
  const messages = [...orders, ...orderMessages, ...decisionMessages];
  return new Map(messages.map(({ messageId, orderId }) => [messageId, orderId]));
}

const wordsOf = (text: string): string[] => text.split(/[^\w-]+/);

export const keyOf = (subject: Subject): string =>
  subject.kind === 'product'
    ? `product ${String(subject.productId)}`
    : `order ${subject.orderId ?? `number ${String(subject.index)}`}`;

