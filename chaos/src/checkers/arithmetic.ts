import {
  INITIAL_STOCK,
  ORDERS_PER_PRODUCT,
  readDeductions,
  type Deductions,
  type Workload,
} from '@counterfoil/loadtest';

import type { PlacedOrder, RunFacts } from '../facts.js';
import { powersWorkload } from './asked-orders.js';
import { ordersGivenUp } from './expected-failures.js';

/** Orders that should have taken their stock once: placed, not rejected, not given up as planned. */
export function ordersDue(facts: Pick<RunFacts, 'plan' | 'books'>): PlacedOrder[] {
  const { placed, orders } = facts.books;
  const rejected = new Set(orders.filter(({ status }) => status === 'REJECTED').map(({ orderId }) => orderId));
  const givenUp = ordersGivenUp(facts);
  return placed.filter(({ orderId }) => !rejected.has(orderId) && !givenUp.has(orderId));
}

export interface Spelled extends Deductions {
  readonly workload: Workload;
  /** By index: how often the order should have been deducted, 0 or 1. */
  readonly wanted: Uint8Array;
}

/** What the missing stock spells, order by order; null when the workload cannot be read so. */
export function spelledDeductions(facts: Pick<RunFacts, 'plan' | 'books'>): Spelled | null {
  const workload = powersWorkload(facts);
  if (workload === null) return null;
  const wanted = new Uint8Array(workload.orderCount);
  for (const { index } of ordersDue(facts)) if (index !== null && index < wanted.length) wanted[index] = 1;
  const { startStock, endStock } = facts.books;
  // As if every product had begun with what readDeductions reckons from.
  const left = [...endStock].map(([id, stock]) => [id, INITIAL_STOCK - ((startStock.get(id) ?? 0n) - stock)] as const);
  return { workload, wanted, ...readDeductions(workload, new Map(left), (index) => wanted[index] ?? 0) };
}

export interface Missed {
  readonly lost: number[];
  readonly doubled: number[];
  /** Taken by an order that is not in the books, or was rejected or given up. */
  readonly phantom: number[];
}

/** Orders whose digit is not what it should be, by index. */
export function missedOrders({ times, wanted }: Spelled): Missed {
  const missed: Missed = { lost: [], doubled: [], phantom: [] };
  times.forEach((digit, index) => {
    if (digit > 1) missed.doubled.push(index);
    else if (digit === 0 && wanted[index] === 1) missed.lost.push(index);
    else if (digit === 1 && wanted[index] === 0) missed.phantom.push(index);
  });
  return missed;
}

/** Digits of an odd product, lowest first, for people. */
export const digitsText = (digits: readonly number[]): string => digits.slice(0, ORDERS_PER_PRODUCT + 1).join('');
