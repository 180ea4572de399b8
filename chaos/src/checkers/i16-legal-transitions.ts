import type { Books, Invariant, RunFacts, Transition } from '../facts.js';
import { told } from './finding.js';
import { groupBy } from './lookup.js';
import { countsFit, MOVES, type Move } from './moves.js';
import { rowKey, rowsSeen } from './rows-seen.js';

/**
 * Every transition is an arrow of the state machines and raises the version by one, each row's follow one another
 * without a gap, and nothing leaves SENT, SUCCESS or FAILED but by a person's recorded action.
 */
export const legalTransitions = (facts: RunFacts): Invariant =>
  told(
    {
      id: 'I16',
      needs: ['transitions', 'actions', 'orderMessages', 'decisionMessages', 'deductionNotes', 'decisionNotes'],
    },
    facts,
    () => {
      const { transitions, orderMessages } = facts.books;
      if (transitions.length === 0) return orderMessages.length === 0 ? 'there is no message' : 'no row ever moved';
      const chains = groupBy(transitions, rowKey);
      return {
        detail: `${String(transitions.length)} transitions of ${String(chains.size)} rows`,
        anomalies: [
          ...[...chains].flatMap(([key, chain]) => brokenChain(key, chain)),
          ...unrecordedActions(facts.books),
        ],
      };
    },
  );

function brokenChain(key: string, chain: readonly Transition[]): string[] {
  return chain.flatMap((step, index) => {
    const wrong = wrongMove(step) ?? wrongOrder(step, chain[index - 1]);
    return wrong === null
      ? []
      : [`${key} ${step.from} v${String(step.fromVersion)} → ${step.to} v${String(step.toVersion)} ${wrong}`];
  });
}

function wrongMove(step: Transition): string | null {
  if (moveOf(step) === undefined) return 'is no arrow';
  if (step.toVersion !== step.fromVersion + 1) return 'does not raise the version by one';
  return countsFit(step) ? null : 'raises a count that it must not';
}

function wrongOrder(step: Transition, before: Transition | undefined): string | null {
  const version = before?.toVersion ?? 0;
  if (step.fromVersion !== version) return `does not follow version ${String(version)}`;
  return before !== undefined && step.from !== before.to ? `does not follow ${before.to}` : null;
}

const moveOf = ({ table, from, to }: Transition): Move | undefined =>
  MOVES[table].find((move) => move.from === from && move.to === to);

/** A person's moves that are not in message_action. */
function unrecordedActions(books: Books): string[] {
  const rows = rowsSeen(books);
  const done = books.transitions.flatMap((step) => {
    const action = moveOf(step)?.action ?? null;
    const messageId = rows.get(rowKey(step))?.row.messageId ?? `of ${rowKey(step)}`;
    return action === null ? [] : [`${action} of ${messageId} in the ${step.database} database`];
  });
  const recorded = groupBy(
    books.actions,
    ({ action, messageId, database }) => `${action} of ${messageId} in the ${database} database`,
  );
  return [...groupBy(done, (deed) => deed)]
    .filter(([deed, times]) => times.length > (recorded.get(deed)?.length ?? 0))
    .map(([deed]) => `${deed} is not recorded`);
}
