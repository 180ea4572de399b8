import { INITIAL_STOCK, type Deductions } from '@counterfoil/loadtest';

import type { BookedOrder } from './books.js';
import { acknowledged, type Evidence, type Placed } from './evidence.js';

export interface Counts {
  readonly orders: number;
  readonly messages: number;
  readonly deducted: number;
  readonly confirmed: number;
  readonly rejected: number;
  /** Orders placed or acknowledged, not rejected, whose stock was never taken. */
  readonly lost: number;
  /** Orders whose stock was taken more than once. */
  readonly doubled: number;
  /** Orders whose stock was taken although they are not in the books, or were rejected. */
  readonly phantom: number;
  readonly oddProducts: number;
  readonly products: number;
  readonly stockBefore: bigint;
  readonly stockAfter: bigint;
  readonly confirmedPieces: bigint;
}

export function countAll(
  { workload, client, books }: Evidence,
  placed: Placed,
  { times, odd, unreadable }: Deductions,
): Counts {
  const of = (status: BookedOrder['status']): BookedOrder[] => books.orders.filter((order) => order.status === status);
  const known = new Set([...acknowledged(client), ...placed.keys()]);
  const due = (index: number): boolean =>
    known.has(index) && placed.get(index)?.every(({ status }) => status === 'REJECTED') !== true;
  const all = [...times.keys()];
  const takenWithoutOrder = (index: number): boolean => !due(index) || !placed.has(index);
  return {
    orders: books.orders.length,
    messages: books.messages,
    deducted: all.filter((index) => (times[index] ?? 0) > 0).length,
    confirmed: of('CONFIRMED').length,
    rejected: of('REJECTED').length,
    lost: all.filter((index) => times[index] === 0 && due(index)).length,
    doubled: all.filter((index) => (times[index] ?? 0) > 1).length,
    phantom: all.filter((index) => (times[index] ?? 0) > 0 && takenWithoutOrder(index)).length,
    oddProducts: odd.length + unreadable.length,
    products: workload.productIds.length,
    stockBefore: INITIAL_STOCK * BigInt(workload.productIds.length),
    stockAfter: total([...books.stock.values()]),
    confirmedPieces: total(of('CONFIRMED').map(({ quantity }) => BigInt(quantity))),
  };
}

const total = (numbers: readonly bigint[]): bigint => numbers.reduce((sum, number) => sum + number, 0n);
