import type { Connection } from 'mysql2/promise';

import type { Books, Part } from '../facts.js';
import { takenBy, type SeenRequest } from '../recorder/seen-request.js';
import type { DatabaseUrls } from '../witnesses/install.js';
import type { Tap } from '../witnesses/tap.js';
import { readPlaced, readStockChanges, readTransitions } from './ledgers.js';
import { readActions, readMessages, readNotes, readOrders } from './messages.js';
import { openForReading } from './pages.js';
import { readStock } from './stock.js';

export interface BooksToRead extends DatabaseUrls {
  /** The load's: orders are keyed `<run>-<index>`. */
  readonly run: string;
  readonly startStock: ReadonlyMap<number, bigint>;
  /** Null where the scenario runs without it. Reading ends it. */
  readonly tap: Tap | null;
  /** Where deductions go over HTTP; null elsewhere. */
  readonly http: readonly SeenRequest[] | null;
}

export interface BooksRead {
  readonly books: Books;
  /** What could not be read, each with why; for {@link EndState.unread}. Such a part is empty in the books. */
  readonly unread: readonly string[];
}

/**
 * Reads everything, part by part, when nothing moves any more. A part that cannot be read is named, and the others
 * are read all the same: a run that is invalid by one witness is invalid, whatever became of the other.
 */
export async function readBooks(options: BooksToRead): Promise<BooksRead> {
  const unread: string[] = [];
  const part = async <T>(name: Part, empty: T, read: () => Promise<T>): Promise<T> =>
    read().catch((error: unknown) => {
      unread.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return empty;
    });
  // One after the other: read side by side, two databases' pages would be held in memory at once.
  const orderBooks = NO_ORDERS();
  for (const [shard, url] of options.orderDbs.entries()) {
    addTo(orderBooks, await fromDatabase(url, (orders) => readOrderSide(orders, { shard, run: options.run }, part)));
  }
  const inventoryBooks = await fromDatabase(options.inventoryDb, (inventory) => readInventorySide(inventory, part));
  const taps = await part('tap', NO_TAPS, async () => (await options.tap?.finish()) ?? NO_TAPS);
  const { startStock, http } = options;
  const books: Books = {
    ...{ startStock, ...taps, ...orderBooks, ...inventoryBooks, http },
    tap: http === null ? taps.tap : withTaken(taps.tap, http),
    transitions: [...orderBooks.transitions, ...inventoryBooks.transitions],
    actions: [...orderBooks.actions, ...inventoryBooks.actions],
  };
  return { books, unread };
}

/** What went over HTTP, and what went through the queue all the same. */
function withTaken(tap: Books['tap'], http: readonly SeenRequest[]): Map<string, number> {
  const seen = takenBy(http);
  for (const [messageId, times] of tap ?? []) seen.set(messageId, (seen.get(messageId) ?? 0) + times);
  return seen;
}

const NO_TAPS = { tap: null, decisionTap: null };

type ReadPart = <T>(name: Part, empty: T, read: () => Promise<T>) => Promise<T>;

type OrderSide = Pick<Books, 'placed' | 'orders' | 'orderMessages' | 'decisionNotes' | 'transitions' | 'actions'>;
type Growing = { [Name in keyof OrderSide]: OrderSide[Name][number][] };

const NO_ORDERS = (): Growing => ({
  placed: [],
  orders: [],
  orderMessages: [],
  decisionNotes: [],
  transitions: [],
  actions: [],
});

function addTo(books: Growing, shard: OrderSide): void {
  for (const one of shard.placed) books.placed.push(one);
  for (const one of shard.orders) books.orders.push(one);
  for (const one of shard.orderMessages) books.orderMessages.push(one);
  for (const one of shard.decisionNotes) books.decisionNotes.push(one);
  for (const one of shard.transitions) books.transitions.push(one);
  for (const one of shard.actions) books.actions.push(one);
}

/** Notes are numbered by their own database: those of a further shard are told apart by its number. */
const noteIdIn =
  (shard: number) =>
  (id: string): string =>
    shard === 0 ? id : `${String(shard + 1)}:${id}`;

async function readOrderSide(
  open: Open,
  { shard, run }: { readonly shard: number; readonly run: string },
  part: ReadPart,
): Promise<OrderSide> {
  const noteId = noteIdIn(shard);
  const notes = async (orders: Connection) =>
    (await readNotes(orders, 'order.deduction-decided')).map((note) => ({ ...note, id: noteId(note.id) }));
  const transitions = async (orders: Connection) =>
    (await readTransitions(orders, 'order')).map((step) =>
      step.table === 'consumer_message' ? { ...step, id: noteId(step.id) } : step,
    );
  return {
    placed: await part('placed', [], () => open((orders) => readPlaced(orders, run))),
    orders: await part('orders', [], () => open(readOrders)),
    orderMessages: await part('orderMessages', [], () => open(readMessages)),
    decisionNotes: await part('decisionNotes', [], () => open(notes)),
    transitions: await part('transitions', [], () => open(transitions)),
    actions: await part('actions', [], () => open((orders) => readActions(orders, 'order'))),
  };
}

async function readInventorySide(open: Open, part: ReadPart) {
  return {
    endStock: await part('endStock', new Map<number, bigint>(), () => open(readStock)),
    stockChanges: await part('stockChanges', [], () => open(readStockChanges)),
    deductionNotes: await part('deductionNotes', [], () => open((db) => readNotes(db, 'inventory.deduct'))),
    decisionMessages: await part('decisionMessages', [], () => open(readMessages)),
    transitions: await part('transitions', [], () => open((db) => readTransitions(db, 'inventory'))),
    actions: await part('actions', [], () => open((db) => readActions(db, 'inventory'))),
  };
}

/** Runs one reading on the connection of its database; one that failed is not used again. */
type Open = <T>(read: (connection: Connection) => Promise<T>) => Promise<T>;

async function fromDatabase<T>(url: string, read: (open: Open) => Promise<T>): Promise<T> {
  const held: Connection[] = [];
  const open: Open = async (work) => {
    const connection = held.pop() ?? (await openForReading(url));
    const result = await work(connection).catch((error: unknown) => {
      connection.destroy();
      throw error;
    });
    held.push(connection);
    return result;
  };
  try {
    return await read(open);
  } finally {
    for (const connection of held) connection.destroy();
  }
}
