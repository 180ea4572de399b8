import type { OrderRequest } from './order.js';

/** Requests without a key are all different. */
export const keyOf = (request: OrderRequest): string | OrderRequest => request.idempotencyKey ?? request;

/** A key once, in the order of the keys: transactions that share several wait for each other instead of dead-locking. */
export function splitByKey(requests: readonly OrderRequest[]): {
  first: Map<string | OrderRequest, OrderRequest>;
  repeated: OrderRequest[];
} {
  const first = new Map<string | OrderRequest, OrderRequest>();
  const repeated: OrderRequest[] = [];
  for (const request of [...requests].sort(byKey)) {
    if (first.has(keyOf(request))) repeated.push(request);
    else first.set(keyOf(request), request);
  }
  return { first, repeated };
}

const byKey = ({ idempotencyKey: a }: OrderRequest, { idempotencyKey: b }: OrderRequest): number =>
  a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1;
