import { missedOrders, spelledDeductions } from './checkers/arithmetic.js';
import { withoutNemesis } from './checkers/expected-failures.js';
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
  const statuses = groupBy(books.orders, ({ status }) => status);
  const count = (status: string): number => statuses.get(status)?.length ?? 0;
  return {
    ...{ attempted: load.attempted, ok: load.ok, fail: load.fail, info: load.info },
    ...{ placed: books.placed.length, confirmed: count('CONFIRMED'), rejected: count('REJECTED') },
    ...missedBy(facts),
    unresolved: count('CREATED'),
    duplicates: duplicatesOf(facts),
  };
}

const NOT_TOLD = { lost: null, doubled: null, phantom: null };

/** Never throws: what a checker cannot reckon with, and says so, must not take the verdict along. */
function missedBy(facts: RunFacts): Pick<VerdictCounts, 'lost' | 'doubled' | 'phantom'> {
  try {
    const spelled = spelledDeductions(facts);
    if (spelled === null) return NOT_TOLD;
    const { lost, doubled, phantom } = missedOrders(spelled);
    return { lost: lost.length, doubled: doubled.length, phantom: phantom.length };
  } catch {
    return NOT_TOLD;
  }
}

const duplicatesOf = ({ plan, books: { tap, decisionTap } }: RunFacts): number | null =>
  tap === null || decisionTap === null ? null : surplus(withoutNemesis(plan, tap)) + surplus(decisionTap);
