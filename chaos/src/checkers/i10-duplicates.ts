import { surelyTakenBy } from '../recorder/seen-request.js';
import type { Invariant, RunFacts } from '../facts.js';
import { duplicatesAtMost } from './duplicates-at-most.js';
import { isNemesisMessage } from './expected-failures.js';
import { told } from './finding.js';
import { setting } from './settings.js';

/** No more was published twice than the faults account for; without a fault nothing. */
export const duplicates = (facts: RunFacts): Invariant =>
  told({ id: 'I10', needs: ['tap', 'decisionTap', 'actions'] }, facts, () => {
    const { decisionTap, http } = facts.books;
    const tap = http === null ? facts.books.tap : surelyTakenBy(http, setting(facts, 'ATTEMPT_TIMEOUT_MS'));
    if (tap === null || decisionTap === null) return 'this run had no tap';
    if (tap.size === 0) return 'the tap saw nothing';
    const bound = duplicatesAtMost(facts);
    const seen = { deductions: surplus(tap), decisions: surplus(decisionTap) };
    const anomalies = (['deductions', 'decisions'] as const)
      .filter((route) => seen[route] > bound[route])
      .map((route) => `${String(seen[route])} duplicate ${route} where the faults allow ${String(bound[route])}`);
    return { detail: `${String(seen.deductions)} and ${String(seen.decisions)} duplicates`, anomalies };
  });

export const surplus = (tap: ReadonlyMap<string, number>): number =>
  [...tap].reduce((total, [id, count]) => (isNemesisMessage(id) ? total : total + count - 1), 0);
