import type { Progress } from '@counterfoil/loadtest';

/** One look at the running system. */
export interface LiveNumbers {
  readonly atMs: number;
  readonly load: Progress;
  /** Deductions that left the order database. */
  readonly sentByFastPath: number;
  readonly sentByRelay: number;
  /** Deductions that took effect. */
  readonly deducted: number;
  readonly confirmed: number;
  readonly rejected: number;
  /** PENDING and SENDING, in the order and in the inventory database. */
  readonly backlog: readonly [orders: number, inventory: number];
  readonly stock: bigint;
  /** Cores used over the last second, by process. */
  readonly cores: ReadonlyMap<string, number>;
}

/** What is counted upwards and therefore has a rate. */
export const COUNTED = ['sentByFastPath', 'sentByRelay', 'deducted', 'confirmed'] as const;
export type Counted = (typeof COUNTED)[number];

/** A second, by count, between two looks. */
export function rates(before: LiveNumbers | undefined, now: LiveNumbers): Record<Counted | 'placed', number> {
  const passedS = before === undefined ? 0 : (now.atMs - before.atMs) / 1000;
  const rate = (of: (numbers: LiveNumbers) => number): number =>
    before === undefined || passedS <= 0 ? 0 : Math.max(0, of(now) - of(before)) / passedS;
  return {
    placed: rate(({ load }) => load.ok),
    sentByFastPath: rate((numbers) => numbers.sentByFastPath),
    sentByRelay: rate((numbers) => numbers.sentByRelay),
    deducted: rate((numbers) => numbers.deducted),
    confirmed: rate((numbers) => numbers.confirmed),
  };
}
