import type { Database } from '@counterfoil/message-table';

import type { OrderRequest } from './order.js';
import { findOrdersByKey, type StoredOrder } from './orders-store.js';
import { notAccepted, outcomeUnknown, type Placed } from './placed.js';

/** Answers the requests whose key has an order. @returns those that are still open */
export async function replayTaken(
  db: Database,
  requests: readonly OrderRequest[],
  answers: Map<OrderRequest, Placed>,
): Promise<OrderRequest[]> {
  const keys = requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const taken = await findOrdersByKey(db.knex, keys).catch(() => null);
  if (taken === null) {
    // One of the keys has an order, nobody can say now which: only a request without a key certainly stored nothing.
    for (const request of requests)
      answers.set(request, request.idempotencyKey === null ? notAccepted : outcomeUnknown);
    return [];
  }
  for (const request of requests) {
    const order = taken.get(request.idempotencyKey ?? '');
    if (order !== undefined) answers.set(request, replay(request, order));
  }
  return requests.filter((request) => !answers.has(request));
}

const replay = (request: OrderRequest, order: StoredOrder): Placed =>
  order.requestHash === request.requestHash ? { kind: 'replayed', order } : { kind: 'key-reused' };

/** The same key twice in one group: the second is told what became of the first. False when only the table can tell. */
export function answeredLike(
  first: OrderRequest | undefined,
  request: OrderRequest,
  answers: Map<OrderRequest, Placed>,
): boolean {
  const answer = first && answers.get(first);
  if (answer === undefined || answer.kind === 'key-reused') return false;
  if (answer.kind !== 'created' && answer.kind !== 'replayed') answers.set(request, answer);
  else if (first?.requestHash === request.requestHash) answers.set(request, { kind: 'replayed', order: answer.order });
  else answers.set(request, { kind: 'key-reused' });
  return true;
}
