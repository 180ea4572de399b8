import { isDatabaseTrouble } from '@counterfoil/message-table';
import { v7 as uuidv7 } from 'uuid';

import type { Order, OrderRequest } from './order.js';
import type { NewOrder } from './orders-store.js';
import { notAccepted, outcomeUnknown, type Placed } from './placed.js';
import { answeredLike, replayTaken } from './replay-orders.js';
import { keyOf, splitByKey } from './split-by-key.js';
import { storeOrders, type StoreOptions } from './store-orders.js';

export interface PlaceOrdersOptions extends StoreOptions {
  readonly newId: () => string;
}

/**
 * Stores orders and their messages in one transaction for all requests that came together.
 *
 * @returns in the order of `requests`. Never throws: what kept a request from being stored is its answer.
 */
export async function placeOrders(options: PlaceOrdersOptions, requests: readonly OrderRequest[]): Promise<Placed[]> {
  const answers = new Map<OrderRequest, Placed>();
  let open = requests;
  while (open.length > 0) {
    const { first, repeated } = splitByKey(open);
    await settleAll(options, [...first.values()], answers);
    open = repeated.filter((request) => !answeredLike(first.get(keyOf(request)), request, answers));
  }
  return requests.map((request) => answers.get(request) ?? notAccepted);
}

async function settleAll(
  options: PlaceOrdersOptions,
  requests: readonly OrderRequest[],
  answers: Map<OrderRequest, Placed>,
): Promise<void> {
  let open = requests;
  try {
    // A key that is taken fails the whole insert; once its order is read it leaves the group.
    while (open.length > 0) open = await insertOrReplay(options, open, answers);
  } catch (error) {
    if (isDatabaseTrouble(error) || open.length === 1) {
      for (const request of open) answers.set(request, { kind: 'failed', error });
    } else for (const request of open) await settleAll(options, [request], answers);
  }
}

/** @returns the requests that are still open */
async function insertOrReplay(
  options: PlaceOrdersOptions,
  requests: readonly OrderRequest[],
  answers: Map<OrderRequest, Placed>,
): Promise<readonly OrderRequest[]> {
  const orders = requests.map((request) => ({ id: options.newId(), messageId: uuidv7(), request }));
  const stored = await storeOrders(options, orders);
  if (stored === 'key-taken') return replayTaken(options.db, requests, answers);
  for (const order of orders) {
    answers.set(order.request, stored === 'unknown' ? outcomeUnknown : { kind: 'created', order: created(order) });
  }
  return [];
}

const created = ({ id, messageId, request: { productId, quantity } }: NewOrder): Order => ({
  id,
  productId,
  quantity,
  status: 'CREATED',
  reason: null,
  messageId,
});
