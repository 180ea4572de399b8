import type { BookedOrder } from './books.js';
import type { Counts } from './counts.js';
import { acknowledged, type Evidence, type Placed } from './evidence.js';

/** One invariant, by its name in the contract, and what was found. */
export interface Finding {
  readonly id: string;
  readonly says: string;
  readonly holds: boolean;
  readonly detail: string;
}

export function findingsOf(evidence: Evidence, placed: Placed, counts: Counts): Finding[] {
  const { client, books, liveness } = evidence;
  return [
    { id: 'I1', says: 'every acknowledged order is in the books', ...none('missing', missing(evidence, placed)) },
    { id: 'I2', says: 'no other order is, and none twice', ...none('too many', strangers(evidence, placed)) },
    {
      id: 'I3',
      says: 'orders and messages are one to one',
      ...exactly([books.orders.length, books.messages], none('orders without a message', withoutMessage(books.orders))),
    },
    {
      id: 'I5',
      says: 'each order took its stock exactly once',
      holds: counts.lost + counts.doubled + counts.phantom + counts.oddProducts === 0,
      detail: `${text(counts.products - counts.oddProducts)} of ${text(counts.products)} products right`,
    },
    {
      id: 'I6',
      says: 'stock before − confirmed = stock after',
      holds: counts.stockBefore - counts.confirmedPieces === counts.stockAfter,
      detail: `difference ${text(counts.stockBefore - counts.confirmedPieces - counts.stockAfter)}`,
    },
    { id: 'I7', says: 'note, effect and decision agree', ...agreement(evidence) },
    {
      id: 'I8',
      says: 'everything came to its end',
      holds: liveness.open === 0 && liveness.ended.length === 0,
      detail: [`${text(liveness.open)} still open`, ...liveness.ended.map((name) => `${name} ended`)].join(', '),
    },
    {
      id: 'I13',
      says: 'ok + fail + unknown = attempted',
      holds: client.ok + client.fail + client.info === client.attempted,
      detail: `${text(client.ok)} + ${text(client.fail)} + ${text(client.info)} = ${text(client.attempted)}`,
    },
  ];
}

const text = (count: number | bigint): string => count.toLocaleString('en-US');

type Found = Pick<Finding, 'holds' | 'detail'>;

const none = (what: string, found: number): Found => ({ holds: found === 0, detail: `${text(found)} ${what}` });

const exactly = ([orders, messages]: readonly [number, number], also: Found): Found => ({
  holds: orders === messages && also.holds,
  detail: also.holds ? `${text(orders)} and ${text(messages)}` : also.detail,
});

const missing = ({ client }: Evidence, placed: Placed): number =>
  acknowledged(client).filter((index) => !placed.has(index)).length;

/** Orders that certainly failed or were never asked for, second ones under a key, and those that are not what was asked for. */
function strangers({ client, workload }: Evidence, placed: Placed): number {
  const failed = new Set(client.failed);
  const isAsked = (index: number): boolean => index >= 0 && index < client.attempted && !failed.has(index);
  return [...placed].flatMap(([index, orders]) => {
    if (!isAsked(index)) return orders;
    const { productId, quantity } = workload.order(index);
    const [first, ...more] = orders;
    return first?.productId === productId && first.quantity === quantity ? more : orders;
  }).length;
}

const withoutMessage = (orders: readonly BookedOrder[]): number =>
  orders.filter(({ messageStatus }) => messageStatus === null).length;

/** Every order is decided, its message was sent and noted as a success, and so was the decision. */
function agreement({ books }: Evidence): Found {
  const { orders, deductions, decisionsSent, decisionsNoted } = books;
  const odd = orders.filter(
    ({ status, messageId, messageStatus }) =>
      status === 'CREATED' || messageStatus !== 'SENT' || deductions.get(messageId) !== 'SUCCESS',
  );
  const holds =
    odd.length === 0 && [deductions.size, decisionsSent, decisionsNoted].every((count) => count === orders.length);
  return {
    holds,
    detail: `${text(deductions.size)} notes, decisions ${text(decisionsSent)} sent, ${text(decisionsNoted)} taken`,
  };
}
