/** Removes: after a COMMIT without an answer the same rows are written again. They are written anew: other ids, and no key. */
import { randomUUID } from 'node:crypto';

import { replace } from './replace.js';

interface NewOrder {
  readonly id: string;
  readonly messageId: string;
  readonly request: { readonly idempotencyKey: string | null };
}

interface Options {
  readonly newId: () => string;
}

type Place = (options: Options, requests: unknown) => Promise<unknown>;
type Insert = (trx: unknown, orders: readonly NewOrder[]) => Promise<void>;
type Command = (order: NewOrder, route: unknown) => unknown;

let newId = (): string => '';
const tried = new Set<string>();
const anew = new WeakMap<NewOrder, NewOrder>();

replace('order-service/place-orders', 'placeOrders', (original: Place): Place => (options, requests) => {
  newId = options.newId;
  return original(options, requests);
});

function again(order: NewOrder): NewOrder {
  if (!tried.has(order.id)) return order;
  const other = { id: newId(), messageId: randomUUID(), request: { ...order.request, idempotencyKey: null } };
  anew.set(order, other);
  return other;
}

replace('order-service/orders-store', 'insertOrders', (original: Insert): Insert => async (trx, orders) => {
  const rows = orders.map(again);
  for (const { id } of orders) tried.add(id);
  await original(trx, rows);
});

replace(
  'order-service/deduction-command',
  'deductionCommand',
  (original: Command): Command =>
    (order, route) =>
      original(anew.get(order) ?? order, route),
);
