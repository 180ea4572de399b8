import type { Invariant, MessageRow, OrderRow, RunFacts } from '../facts.js';
import { told } from './finding.js';
import { groupBy, repeated } from './lookup.js';

/** Orders and messages are one to one: both were written, or neither. */
export const ordersAndMessages = (facts: RunFacts): Invariant =>
  told({ id: 'I3', needs: ['orders', 'orderMessages'] }, facts, () => {
    const { orders, orderMessages } = facts.books;
    if (orders.length + orderMessages.length === 0) return 'there is no order and no message';
    return {
      detail: `${String(orders.length)} orders, ${String(orderMessages.length)} messages`,
      anomalies: [...unmatched(orders, orderMessages), ...doubled(orders, orderMessages)],
    };
  });

function unmatched(orders: readonly OrderRow[], messages: readonly MessageRow[]): string[] {
  const pairs = new Set(messages.map(({ messageId, orderId }) => `${messageId} ${orderId}`));
  const orphans = new Set(pairs);
  for (const { messageId, orderId } of orders) orphans.delete(`${messageId} ${orderId}`);
  const bare = orders.filter(({ messageId, orderId }) => !pairs.has(`${messageId} ${orderId}`));
  return [
    ...bare.map(({ orderId }) => `order ${orderId} has no message`),
    ...[...orphans].map((pair) => `message ${pair} has no order`),
  ];
}

const doubled = (orders: readonly OrderRow[], messages: readonly MessageRow[]): string[] => [
  ...repeated(groupBy(orders, ({ messageId }) => messageId)).map((id) => `message ${id} has two orders`),
  ...repeated(groupBy(messages, ({ orderId }) => orderId)).map((id) => `order ${id} has two messages`),
];
