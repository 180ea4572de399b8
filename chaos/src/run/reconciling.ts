import { createEvents, openDatabase } from '@counterfoil/message-table';
import { reconcile, repair, type Databases, type Difference, type Repaired } from '@counterfoil/reconcile';

import { readPlaced } from '../books/ledgers.js';
import { readOrders } from '../books/messages.js';
import { openForReading } from '../books/pages.js';
import { readStock } from '../books/stock.js';
import { missedOrders, spelledDeductions } from '../checkers/arithmetic.js';
import type { Books, Reconciliation } from '../facts.js';
import type { DatabaseUrls } from '../witnesses/install.js';
import type { World } from '../world/world.js';
import { settleDown, type Settled } from './settle-down.js';

export interface ReconcilingOptions {
  readonly world: World;
  readonly urls: DatabaseUrls;
  readonly run: string;
  readonly startStock: ReadonlyMap<number, bigint>;
}

const PERSON = { who: 'chaos', why: 'the plan took messages away' };
const WEEK_MS = 604_800_000;

export interface Reconciled extends Settled {
  readonly reconciliation: Reconciliation | null;
  /** Why it could not be told what differs. */
  readonly untold: readonly string[];
}

/**
 * Asks the product's own reconcile what differs, when nothing moves any more. Where the plan takes messages away, what
 * it names is replayed in a person's name, the run settles again, and it is asked again.
 */
export async function reconcileRun(options: ReconcilingOptions, first: Settled): Promise<Reconciled> {
  const open = (url: string) => openDatabase({ url, events: createEvents(), poolMax: 2 });
  const { urls, world } = options;
  const [orderDb, ...others] = urls.orderDbs;
  // It compares one order database with the inventory, and would name all that belongs to another one.
  if (orderDb === undefined || others.length > 0) return { ...first, reconciliation: null, untold: [] };
  const databases: Databases = { order: open(orderDb), inventory: open(urls.inventoryDb) };
  try {
    const told = world.plan.expected.plannedLoss
      ? await nameAndReplay(options, databases)
      : { settled: first, reconciliation: await nameOnly(databases) };
    return { ...told.settled, reconciliation: told.reconciliation, untold: [] };
  } catch (error) {
    return { ...first, reconciliation: null, untold: [`reconciliation: ${String(error)}`] };
  } finally {
    await Promise.all([databases.order.close(), databases.inventory.close()]);
  }
}

async function nameOnly(databases: Databases): Promise<Reconciliation> {
  const left = await differencesOf(databases);
  return { differences: left.map((one) => ({ ...one, repaired: null })), missing: null, left };
}

async function nameAndReplay(options: ReconcilingOptions, databases: Databases) {
  const missing = await missingByStock(options);
  const differences = await repairAll(databases, await differencesOf(databases));
  const settled = await settleDown(options.world);
  return { settled, reconciliation: { differences, missing, left: await differencesOf(databases) } };
}

async function differencesOf(databases: Databases): Promise<Difference[]> {
  const differences: Difference[] = [];
  // Nothing is on its way any more.
  await reconcile({ databases, inFlightMs: 0, days: 1, onDifference: (one) => void differences.push(one) });
  return differences;
}

async function repairAll(
  databases: Databases,
  found: readonly Difference[],
): Promise<(Difference & { readonly repaired: Repaired })[]> {
  const repaired: (Difference & { readonly repaired: Repaired })[] = [];
  for (const one of found)
    repaired.push({ ...one, repaired: await repair({ databases, person: PERSON, retentionMs: WEEK_MS }, one) });
  return repaired;
}

const NOTHING: Omit<Books, 'placed' | 'orders' | 'startStock' | 'endStock'> = {
  ...{ stockChanges: [], transitions: [], orderMessages: [], decisionMessages: [] },
  ...{ deductionNotes: [], decisionNotes: [], actions: [], tap: null, decisionTap: null, http: null },
};

/** The orders that the stock does not spell, whatever messages and notes say of them. */
async function missingByStock({ world, urls, run, startStock }: ReconcilingOptions): Promise<string[] | null> {
  const [orderDb = ''] = urls.orderDbs;
  const [orders, inventory] = [await openForReading(orderDb), await openForReading(urls.inventoryDb)];
  try {
    const books: Books = {
      ...NOTHING,
      ...{ startStock, placed: await readPlaced(orders, run), orders: await readOrders(orders) },
      endStock: await readStock(inventory),
    };
    const spelled = spelledDeductions({ plan: world.plan, books });
    if (spelled === null) return null;
    const lost = new Set(missedOrders(spelled).lost);
    return books.placed.filter(({ index }) => index !== null && lost.has(index)).map(({ orderId }) => orderId);
  } finally {
    orders.destroy();
    inventory.destroy();
  }
}
