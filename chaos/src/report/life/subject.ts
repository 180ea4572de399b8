import { rowsSeen } from '../../checkers/rows-seen.js';
import type { Books } from '../../facts.js';

/** What an anomaly is about. */
export type Subject =
  | { readonly kind: 'order'; readonly index: number | null; readonly orderId: string | null }
  | { readonly kind: 'product'; readonly productId: number };

/** Checkers name what they found in words; this finds the order or the product in them again. */
export function subjectFinder(books: Books): (anomaly: string) => Subject | null {
  const ofMessage = messageFinder(books);
  const { ofIndex, ofNumber } = ordersByNumber(books);
  return (anomaly) => {
    // Only the load's number is told together with the product.
    const index = /\border (\d+) of product /.exec(anomaly)?.[1];
    if (index !== undefined) return ofIndex(Number(index));
    const number = ofMessage(anomaly) ?? /\border (\d+)/.exec(anomaly)?.[1];
    if (number !== undefined) return ofNumber(number);
    const product = /\bproduct (\d+)/.exec(anomaly)?.[1];
    return product === undefined ? null : { kind: 'product', productId: Number(product) };
  };
}

/** The id of the order whose message, decision or row of either is named. */
function messageFinder(books: Books): (anomaly: string) => string | undefined {
  const rows = rowsSeen(books);
  const { orders, orderMessages, decisionMessages } = books;
  const messages = [...orders, ...orderMessages, ...decisionMessages];
  const orderOf = new Map(messages.map(({ messageId, orderId }) => [messageId, orderId]));
  return (anomaly) => {
    const key = /(?:order|inventory) (?:producer|consumer)_message \d+/.exec(anomaly)?.[0] ?? '';
    const messageId = rows.get(key)?.row.messageId ?? wordsOf(anomaly).find((word) => orderOf.has(word));
    return orderOf.get(messageId ?? '');
  };
}

interface Orders {
  readonly ofIndex: (index: number) => Subject;
  /** The load's number and the service's id are both called "order"; ids are far larger than any load is long. */
  readonly ofNumber: (number: string) => Subject;
}

function ordersByNumber({ placed, orders }: Books): Orders {
  const indexes = new Map(orders.map(({ orderId, idempotencyKey }) => [orderId, indexIn(idempotencyKey)]));
  for (const { orderId, index } of placed) indexes.set(orderId, index);
  const orderIds = new Map([...indexes].map(([orderId, index]) => [index, orderId]));
  const ofIndex = (index: number): Subject => ({ kind: 'order', orderId: orderIds.get(index) ?? null, index });
  return {
    ofIndex,
    ofNumber: (number) => {
      const index = indexes.get(number);
      return index === undefined ? ofIndex(Number(number)) : { kind: 'order', orderId: number, index };
    },
  };
}

/** The load's keys end with the order's number. */
function indexIn(key: string | null): number | null {
  const number = /-(\d+)$/.exec(key ?? '')?.[1];
  return number === undefined ? null : Number(number);
}

const wordsOf = (text: string): string[] => text.split(/[^\w-]+/);

export const keyOf = (subject: Subject): string =>
  subject.kind === 'product'
    ? `product ${String(subject.productId)}`
    : `order ${subject.orderId ?? `number ${String(subject.index)}`}`;
