import { setTimeout as sleep } from 'node:timers/promises';

import {
  duplicateKey,
  isDatabaseTrouble,
  MessageTableError,
  runInTransaction,
  type Acceptor,
  type Database,
} from '@counterfoil/message-table';
import { v7 as uuidv7 } from 'uuid';

import { deductionCommand } from './deduction-command.js';
import type { Order, OrderRequest } from './order.js';
import { findMessageIds, findOrdersByKey, insertOrders, type NewOrder, type StoredOrder } from './orders-store.js';

export type Placed =
  | Readonly<{ kind: 'created' | 'replayed'; order: Order }>
  /** The key was used before for other fields. */
  | Readonly<{ kind: 'key-reused' }>
  /** Certainly nothing was stored. */
  | Readonly<{ kind: 'not-accepted' }>
  /** COMMIT stayed unanswered until the deadline. */
  | Readonly<{ kind: 'outcome-unknown' }>;

export interface PlaceOrdersOptions {
  readonly db: Database;
  readonly acceptor: Acceptor;
  readonly newId: () => string;
  /** How long an unanswered COMMIT is followed up, ms. */
  readonly deadlineMs: number;
}

const REST_MS = 200;

/**
 * Stores orders and their messages in one transaction for all requests that came together.
 *
 * @returns in the order of `requests`. Never throws: a request that cannot be stored ends 'not-accepted'.
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
    if (open.length === 1 || isDatabaseTrouble(error) || error instanceof MessageTableError) {
      for (const request of open) answers.set(request, notAccepted);
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
  const stored = await store(options, orders);
  if (stored === 'key-taken') return replayTaken(options, requests, answers);
  for (const order of orders) {
    answers.set(order.request, stored === 'unknown' ? outcomeUnknown : { kind: 'created', order: created(order) });
  }
  return [];
}

type Stored = 'stored' | 'key-taken' | 'unknown';

async function store(options: PlaceOrdersOptions, orders: readonly NewOrder[]): Promise<Stored> {
  try {
    await insertOnce(options, orders);
    return 'stored';
  } catch (error) {
    if (duplicateKey(error) === 'one_order') return 'key-taken';
    if (isCommitUnknown(error)) return followUp(options, orders);
    throw error;
  }
}

const insertOnce = ({ db, acceptor }: PlaceOrdersOptions, orders: readonly NewOrder[]): Promise<void> =>
  runInTransaction(db, async (trx) => {
    await insertOrders(trx, orders);
    await acceptor.acceptAll(trx, orders.map(deductionCommand));
  });

/**
 * COMMIT stayed unanswered: writes the same rows again, under the same ids, until the deadline. All of the group is
 * there or none of it. A duplicate on PRIMARY means that the first COMMIT took, if the message ids are ours.
 */
async function followUp(options: PlaceOrdersOptions, orders: readonly NewOrder[]): Promise<Stored> {
  const untilMs = performance.now() + options.deadlineMs;
  while (performance.now() < untilMs) {
    await sleep(REST_MS);
    try {
      await insertOnce(options, orders);
      return 'stored';
    } catch (error) {
      const key = duplicateKey(error);
      // Somebody else has the key now, so ours was not stored: the insert would have met PRIMARY first.
      if (key === 'one_order') return 'key-taken';
      if (key === 'PRIMARY' && (await areOurs(options, orders))) return 'stored';
    }
  }
  return 'unknown';
}

async function areOurs({ db }: PlaceOrdersOptions, orders: readonly NewOrder[]): Promise<boolean> {
  const found = await findMessageIds(
    db.knex,
    orders.map(({ id }) => id),
  ).catch(() => new Set<string>());
  return orders.every(({ messageId }) => found.has(messageId));
}

async function replayTaken(
  { db }: PlaceOrdersOptions,
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

const created = ({ id, messageId, request: { productId, quantity } }: NewOrder): Order => ({
  id,
  productId,
  quantity,
  status: 'CREATED',
  reason: null,
  messageId,
});

const notAccepted: Placed = { kind: 'not-accepted' };
const outcomeUnknown: Placed = { kind: 'outcome-unknown' };

const isCommitUnknown = (error: unknown): boolean =>
  error instanceof MessageTableError && error.code === 'COMMIT_UNKNOWN';

const keyOf = (request: OrderRequest): string | OrderRequest => request.idempotencyKey ?? request;

/** A key once, in the order of the keys: transactions that share several wait for each other instead of dead-locking. */
function splitByKey(requests: readonly OrderRequest[]): {
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

/** The same key twice in one group: the second is told what became of the first. False when only the table can tell. */
function answeredLike(
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
