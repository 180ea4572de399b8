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
  | Readonly<{ kind: 'not-accepted'; reason: string }>
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
  const [first, repeated] = splitByKey(requests);
  await settleAll(options, first, answers);
  // The same key twice in one group: the second sees what became of the first.
  if (repeated.length > 0) await settleAll(options, repeated, answers);
  return requests.map((request) => answers.get(request) ?? notAccepted('not handled'));
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
    const { message } = error as Error;
    if (open.length === 1 || isDatabaseTrouble(error) || error instanceof MessageTableError) {
      for (const request of open) answers.set(request, notAccepted(message));
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
    answers.set(
      order.request,
      stored === 'unknown' ? { kind: 'outcome-unknown' } : { kind: 'created', order: created(order) },
    );
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
  const taken = await findOrdersByKey(db.knex, keys);
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

const notAccepted = (reason: string): Placed => ({ kind: 'not-accepted', reason });

const isCommitUnknown = (error: unknown): boolean =>
  error instanceof MessageTableError && error.code === 'COMMIT_UNKNOWN';

function splitByKey(requests: readonly OrderRequest[]): [OrderRequest[], OrderRequest[]] {
  const seen = new Set<string>();
  const first: OrderRequest[] = [];
  const repeated: OrderRequest[] = [];
  for (const request of requests) {
    const { idempotencyKey: key } = request;
    if (key !== null && seen.has(key)) repeated.push(request);
    else first.push(request);
    if (key !== null) seen.add(key);
  }
  return [first, repeated];
}
