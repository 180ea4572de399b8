import { indexOfKey, INITIAL_STOCK, readDeductions, type Deductions, type Workload } from '@counterfoil/loadtest';

import type { BookedOrder, Books } from './books.js';
import { findingsOf, type Finding } from './findings.js';

/** What the client knows: every order up to `attempted` that is neither failed nor unknown was acknowledged. */
export interface ClientAccount {
  readonly run: string;
  readonly planned: number;
  readonly attempted: number;
  readonly ok: number;
  readonly fail: number;
  readonly info: number;
  /** Orders a second, as asked for and as placed. */
  readonly wantedRate: number;
  readonly rate: number;
  readonly failed: readonly number[];
  readonly unknown: readonly number[];
}

export interface Liveness {
  /** What still had to happen when the wait ended; 0 when all was final. */
  readonly open: number;
  /** Processes that ended without being asked to. */
  readonly ended: readonly string[];
}

export interface Evidence {
  readonly workload: Workload;
  readonly client: ClientAccount;
  readonly liveness: Liveness;
  readonly books: Books;
}

export interface Judgement {
  readonly verdict: 'valid' | 'invalid' | 'unknown';
  readonly findings: readonly Finding[];
  /** Why nothing can be said. */
  readonly doubts: readonly string[];
  readonly counts: Counts;
}

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

/** Compares what the client knows, what the tables say, and what the stock alone says. Pure. */
export function judge(evidence: Evidence): Judgement {
  const { workload, client, books } = evidence;
  const placed = byIndex(client.run, books.orders);
  const isDue = (index: number): boolean => placed.get(index)?.some(({ status }) => status !== 'REJECTED') ?? false;
  const deductions = readDeductions(workload, books.stock, (index) => (isDue(index) ? 1 : 0));
  const counts = countAll(evidence, placed, deductions);
  const findings = findingsOf(evidence, placed, counts);
  const doubts = doubtsOf(client);
  const broken = findings.some(({ holds }) => !holds);
  return { verdict: broken ? 'invalid' : doubts.length > 0 ? 'unknown' : 'valid', findings, doubts, counts };
}

/** More than one for a key would be a phantom. */
export type Placed = ReadonlyMap<number, readonly BookedOrder[]>;

function byIndex(run: string, orders: readonly BookedOrder[]): Placed {
  const placed = new Map<number, BookedOrder[]>();
  for (const order of orders) {
    const index = indexOfKey(run, order.key) ?? -1;
    placed.set(index, [...(placed.get(index) ?? []), order]);
  }
  return placed;
}

export const acknowledged = ({ attempted, failed, unknown }: ClientAccount): number[] => {
  const others = new Set([...failed, ...unknown]);
  return Array.from({ length: attempted }, (_, index) => index).filter((index) => !others.has(index));
};

function countAll({ workload, client, books }: Evidence, placed: Placed, { times, odd, unreadable }: Deductions): Counts {
  const of = (status: BookedOrder['status']): BookedOrder[] => books.orders.filter((order) => order.status === status);
  const known = new Set([...acknowledged(client), ...placed.keys()]);
  const due = (index: number): boolean => known.has(index) && placed.get(index)?.every(({ status }) => status === 'REJECTED') !== true;
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

const ENOUGH_LOAD = 0.95;

function doubtsOf({ attempted, planned, ok, rate, wantedRate }: ClientAccount): string[] {
  const doubts: string[] = [];
  if (attempted < planned) doubts.push(`only ${String(attempted)} of ${String(planned)} orders were attempted`);
  if (rate < ENOUGH_LOAD * wantedRate) doubts.push(`the load was ${rate.toFixed(0)} orders a second instead of ${String(wantedRate)}`);
  if (ok === 0) doubts.push('no order was acknowledged');
  return doubts;
}
