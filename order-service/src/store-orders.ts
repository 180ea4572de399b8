import { setTimeout as sleep } from 'node:timers/promises';

import {
  duplicateKey,
  MessageTableError,
  runInTransaction,
  type Acceptor,
  type Database,
} from '@counterfoil/message-table';

import { deductionCommand } from './deduction-command.js';
import type { DeductionRoute } from './deduction-route.js';
import { findMessageIds, insertOrders, type NewOrder } from './orders-store.js';

export interface StoreOptions {
  readonly db: Database;
  readonly acceptor: Acceptor;
  /** The way that the message of each order takes. */
  readonly route: DeductionRoute;
  /** Of this order database; null where there is one for all. */
  readonly shard: string | null;
  /** How long an unanswered COMMIT is followed up, ms. */
  readonly deadlineMs: number;
}

const REST_MS = 200;

/** key-taken: an idempotency key of the group has an order already; nothing was stored. */
export type Stored = 'stored' | 'key-taken' | 'unknown';

/**
 * Inserts orders and messages in one transaction.
 *
 * @throws the error of a transaction that certainly stored nothing
 */
export async function storeOrders(options: StoreOptions, orders: readonly NewOrder[]): Promise<Stored> {
  try {
    await insertOnce(options, orders);
    return 'stored';
  } catch (error) {
    if (duplicateKey(error) === 'one_order') return 'key-taken';
    if (isCommitUnknown(error)) return followUp(options, orders);
    throw error;
  }
}

const insertOnce = ({ db, acceptor, route, shard }: StoreOptions, orders: readonly NewOrder[]): Promise<void> =>
  runInTransaction(db, async (trx) => {
    await insertOrders(trx, orders);
    const commands = orders.map((order) => deductionCommand(order, route, shard));
    await acceptor.acceptAll(trx, commands);
  });

/**
 * COMMIT stayed unanswered: writes the same rows again, under the same ids, until the deadline. All of the group is
 * there or none of it. A duplicate on PRIMARY means that the first COMMIT took, if the message ids are ours.
 */
async function followUp(options: StoreOptions, orders: readonly NewOrder[]): Promise<Stored> {
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

async function areOurs({ db }: StoreOptions, orders: readonly NewOrder[]): Promise<boolean> {
  const found = await findMessageIds(
    db.knex,
    orders.map(({ id }) => id),
  ).catch(() => new Set<string>());
  return orders.every(({ messageId }) => found.has(messageId));
}

const isCommitUnknown = (error: unknown): boolean =>
  error instanceof MessageTableError && error.code === 'COMMIT_UNKNOWN';
