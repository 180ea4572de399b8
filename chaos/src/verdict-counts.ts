import { missedOrders, spelledDeductions } from './checkers/arithmetic.js';
import { surplus } from './checkers/i10-duplicates.js';
import { groupBy } from './checkers/lookup.js';
import type { RunFacts } from './facts.js';

export interface VerdictCounts {
  readonly attempted: number;
  readonly ok: number;
  readonly fail: number;
  readonly info: number;
  readonly placed: number;
  readonly confirmed: number;
  readonly rejected: number;
  /** Orders that took no stock and should have, more than once, or without being due; null where the stock cannot tell them apart. */
  readonly lost: number | null;
  readonly doubled: number | null;
  readonly phantom: number | null;
  /** In the books and never decided. */
  readonly unresolved: number;
  /** Publishes beyond one per message, on both routes; null without a tap. */
  readonly duplicates: number | null;
}

export function countsOf(facts: RunFacts): VerdictCounts {
  const { load, books } = facts;
  const spelled = spelledDeductions(facts);
  const missed = spelled === null ? null : missedOrders(spelled);
  const statuses = groupBy(books.orders, ({ status }) => status);
  const { tap, decisionTap } = books;
  return {
    ...{ attempted: load.attempted, ok: load.ok, fail: load.fail, info: load.info },
    placed: books.placed.length,
    confirmed: statuses.get('CONFIRMED')?.length ?? 0,
    rejected: statuses.get('REJECTED')?.length ?? 0,
    lost: missed?.lost.length ?? null,
    doubled: missed?.doubled.length ?? null,
    phantom: missed?.phantom.length ?? null,
    unresolved: statuses.get('CREATED')?.length ?? 0,
    duplicates: tap === null || decisionTap === null ? null : surplus(tap) + surplus(decisionTap),
  };
}
