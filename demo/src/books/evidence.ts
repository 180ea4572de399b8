import { indexOfKey, type Workload } from '@counterfoil/loadtest';

import type { BookedOrder, Books } from './books.js';

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

/** More than one for a key would be a phantom. */
export type Placed = ReadonlyMap<number, readonly BookedOrder[]>;

export function placedByIndex(run: string, orders: readonly BookedOrder[]): Placed {
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
