import type { Books, RunFacts } from '../facts.js';
import { double, drop, flip, swap, withBooks } from './mutate.js';

/** One thing told wrongly about a run that went well. */
export interface Mutation {
  readonly name: string;
  readonly facts: RunFacts;
  /** Why nobody has to notice; null: somebody must. */
  readonly neutral: string | null;
}

type ListOf<Key extends keyof Books> = Books[Key] extends readonly (infer Item)[] ? Item : never;
type ListName =
  | 'placed'
  | 'stockChanges'
  | 'transitions'
  | 'orders'
  | 'orderMessages'
  | 'decisionMessages'
  | 'deductionNotes'
  | 'decisionNotes';

/** A false value for each field, made from the true one; a text says why nobody needs to see it. */
type Lies<Item> = { readonly [Field in keyof Item]: ((item: Item) => Item[Field]) | string };

const other = (text: string): string => (text === 'other' ? 'another' : 'other');
const MESSAGE_LIES: Lies<ListOf<'orderMessages'>> = {
  id: ({ id }) => other(id),
  messageId: ({ messageId }) => other(messageId),
  orderId: ({ orderId }) => other(orderId),
  outcome: ({ outcome }) => (outcome === 'CONFIRMED' ? 'REJECTED' : outcome),
  status: () => 'FAILED',
  retryCount: ({ retryCount }) => retryCount + 1,
  lostCount: 'every outcome sets it back, so the transitions do not tell it',
  errorMsg: 'for people',
  version: ({ version }) => version + 1,
};
const NOTE_LIES: Lies<ListOf<'deductionNotes'>> = {
  id: 'nothing refers to the row number of a note that never moved',
  messageId: ({ messageId }) => other(messageId),
  status: () => 'FAILED',
  errorMsg: 'for people',
  version: ({ version }) => version + 1,
};

const LIES: { readonly [Name in ListName]: Lies<ListOf<Name>> } = {
  placed: {
    orderId: ({ orderId }) => other(orderId),
    index: ({ index }) => (index ?? 0) + 1,
    productId: ({ productId }) => productId + 1,
    quantity: ({ quantity }) => quantity + 1,
  },
  stockChanges: {
    productId: ({ productId }) => 3 - productId,
    before: ({ before }) => before + 1n,
    after: ({ after }) => after - 1n,
  },
  transitions: {
    database: ({ database }) => (database === 'order' ? 'inventory' : 'order'),
    table: () => 'consumer_message',
    id: ({ id }) => other(id),
    from: ({ from }) => (from === 'SENDING' ? 'PENDING' : 'SENDING'),
    fromVersion: ({ fromVersion }) => fromVersion + 1,
    to: ({ to }) => (to === 'SENT' ? 'FAILED' : 'SENT'),
    toVersion: ({ toVersion }) => toVersion + 1,
    retryCountRose: () => true,
    lostCountRose: 'a lease that ended and an unknown outcome are the same move but for this',
  },
  orders: {
    orderId: ({ orderId }) => other(orderId),
    messageId: ({ messageId }) => other(messageId),
    idempotencyKey: () => null,
    status: () => 'REJECTED',
  },
  orderMessages: MESSAGE_LIES,
  decisionMessages: MESSAGE_LIES,
  deductionNotes: NOTE_LIES,
  decisionNotes: NOTE_LIES,
};

/** Lists whose order says something: neighbours of the same row or product must not change places. */
const CHAINS = {
  stockChanges: ({ productId }: ListOf<'stockChanges'>): string => String(productId),
  transitions: ({ database, id }: ListOf<'transitions'>): string => `${database} ${id}`,
};

/** Everything that can be dropped, doubled, flipped or moved in these books. */
export const bookMutations = (facts: RunFacts): Mutation[] =>
  (Object.keys(LIES) as ListName[]).flatMap((name) => listMutations(facts, name));

/** The lists differ in what they hold, and not in what can become of them. */
type Item = Readonly<Record<string, unknown>>;

function listMutations(facts: RunFacts, name: ListName): Mutation[] {
  const list = facts.books[name] as unknown as readonly Item[];
  const make = (what: string, at: number, changed: readonly Item[], neutral: string | null = null): Mutation => ({
    name: `${name}[${String(at)}] ${what}`,
    facts: withBooks(facts, () => ({ [name]: changed })),
    neutral,
  });
  return list.flatMap((item, at) => [
    make('dropped', at, drop(list, at)),
    make('doubled', at, double(list, at)),
    ...(at + 1 < list.length ? [make('moved', at, swap(list, at), mayMove(name, item, list[at + 1]))] : []),
    ...flips(LIES[name] as unknown as Lies<Item>, item).map(([field, change]) =>
      make(`with another ${field}`, at, flip(list, at, change)),
    ),
  ]);
}

function flips(lies: Lies<Item>, item: Item): [string, Item][] {
  return Object.entries(lies).flatMap(([field, lie]): [string, Item][] => {
    if (typeof lie !== 'function') return [];
    const value = lie(item);
    return value === item[field] ? [] : [[field, { [field]: value }]];
  });
}

function mayMove(name: ListName, item: unknown, next: unknown): string | null {
  if (name !== 'stockChanges' && name !== 'transitions') return 'the order of these says nothing';
  const chain = CHAINS[name] as (one: unknown) => string;
  return chain(item) === chain(next) ? null : 'they are of different chains';
}
