import type { Invariant, MessageRow, RunFacts } from '../facts.js';
import { isNemesisMessage, isPlannedFailure } from './expected-failures.js';
import { told } from './finding.js';

/** Every committed message was published, and nothing else was: the tap saw all of them and no stranger. */
export const published = (facts: RunFacts): Invariant =>
  told({ id: 'I4', needs: ['tap', 'decisionTap', 'orderMessages', 'decisionMessages'] }, facts, () => {
    const { tap, decisionTap, orderMessages, decisionMessages } = facts.books;
    if (tap === null || decisionTap === null) return 'this run had no tap';
    if (orderMessages.length + decisionMessages.length + tap.size + decisionTap.size === 0)
      return 'there is no message';
    return {
      detail: `${String(tap.size)} deductions and ${String(decisionTap.size)} decisions seen`,
      anomalies: [
        ...differences('deduction', facts, orderMessages, tap),
        ...differences('decision', facts, decisionMessages, decisionTap),
      ],
    };
  });

function differences(
  what: string,
  facts: RunFacts,
  messages: readonly MessageRow[],
  tap: ReadonlyMap<string, number>,
): string[] {
  const known = new Set(messages.map(({ messageId }) => messageId));
  const lost = messages.filter((row) => !tap.has(row.messageId) && !isPlannedFailure(facts, row));
  const strangers = [...tap.keys()].filter((id) => !known.has(id) && !isNemesisMessage(id));
  return [
    ...lost.map(({ messageId, status }) => `${what} ${messageId} is ${status} and was never published`),
    ...strangers.map((id) => `${what} ${id} was published and is no message`),
  ];
}
