import { surelyTakenBy } from '../recorder/seen-request.js';
import type { Invariant, MessageRow, RunFacts, Transition } from '../facts.js';
import { duplicatesAtMost } from './duplicates-at-most.js';
import { withoutNemesis } from './expected-failures.js';
import { told } from './finding.js';
import type { Side } from './in-flight.js';
import { setting } from './settings.js';

/**
 * No more was published twice than the faults account for; without a fault nothing. On a machine that is too slow attempts
 * stay without an answer with nothing broken, and are rightly made again: then nobody can tell.
 */
export const duplicates = (facts: RunFacts): Invariant =>
  told(
    { id: 'I10', needs: ['tap', 'decisionTap', 'actions', 'orderMessages', 'decisionMessages', 'transitions'] },
    facts,
    () => {
      const { decisionTap, http } = facts.books;
      const tap = http === null ? facts.books.tap : surelyTakenBy(http, setting(facts, 'ATTEMPT_TIMEOUT_MS'));
      if (tap === null || decisionTap === null) return 'this run had no tap';
      if (tap.size === 0) return 'the tap saw nothing';
      const routes = routesOf(facts, withoutNemesis(facts.plan, tap), decisionTap);
      const detail = `${routes.map(({ seen }) => String(seen)).join(' and ')} duplicates`;
      const tooMany = routes.filter(({ seen, most }) => seen > most);
      const anomalies = tooMany
        .filter(({ unexplained, most }) => unexplained > most)
        .map(({ name, seen, most }) => `${String(seen)} duplicate ${name} where the faults allow ${String(most)}`);
      if (anomalies.length === 0 && tooMany.length > 0)
        return `${detail}, more than the faults account for, and sent again because nobody had answered: too slow a machine`;
      return { detail, anomalies };
    },
  );

type Tap = ReadonlyMap<string, number>;

function routesOf(facts: RunFacts, deductions: Tap, decisions: Tap) {
  const { orderMessages, decisionMessages } = facts.books;
  const bound = duplicatesAtMost(facts);
  const route = (name: keyof typeof bound, taps: Tap, waited: Tap) => ({
    name,
    most: bound[name],
    seen: surplus(taps),
    unexplained: surplus(taps, waited),
  });
  return [
    route('deductions', deductions, unanswered(facts, 'order', orderMessages)),
    route('decisions', decisions, unanswered(facts, 'inventory', decisionMessages)),
  ];
}

/** Published more than once; what is sent again because nobody had answered is not counted where `waited` names it. */
export const surplus = (tap: Tap, waited: Tap = new Map()): number =>
  [...tap].reduce((total, [id, count]) => total + Math.max(0, count - 1 - (waited.get(id) ?? 0)), 0);

/** By message: how often its row went back with neither an attempt nor a lease counted, as after a time-out. */
function unanswered({ books }: RunFacts, database: Side, messages: readonly MessageRow[]): Map<string, number> {
  const messageIds = new Map(messages.map(({ id, messageId }) => [id, messageId]));
  const times = new Map<string, number>();
  for (const move of books.transitions) {
    if (move.database !== database || !isUnanswered(move)) continue;
    const messageId = messageIds.get(move.id) ?? '';
    times.set(messageId, (times.get(messageId) ?? 0) + 1);
  }
  return times;
}

const isUnanswered = ({ table, from, to, retryCountRose, lostCountRose }: Transition): boolean =>
  table === 'producer_message' && from === 'SENDING' && to === 'PENDING' && !retryCountRose && !lostCountRose;
