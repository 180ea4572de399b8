import type { Invariant, MessageRow, RunFacts } from '../facts.js';
import { plannedFailures, publishedByNemesis } from './expected-failures.js';
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
        ...differences('deduction', orderMessages, tap, {
          notPublished: plannedFailures(facts).messages,
          strangers: publishedByNemesis(facts.plan),
        }),
        ...differences('decision', decisionMessages, decisionTap, NOTHING),
      ],
    };
  });

/** Ids of messages that are not to be published, and of what is published without being one. */
interface Expected {
  readonly notPublished: ReadonlySet<string>;
  readonly strangers: ReadonlySet<string>;
}

const NOTHING: Expected = { notPublished: new Set(), strangers: new Set() };

function differences(
  what: string,
  messages: readonly MessageRow[],
  tap: ReadonlyMap<string, number>,
  expected: Expected,
): string[] {
  const known = new Set(messages.map(({ messageId }) => messageId));
  const lost = messages.filter(({ messageId }) => !tap.has(messageId) && !expected.notPublished.has(messageId));
  const strangers = [...tap.keys()].filter((id) => !known.has(id) && !expected.strangers.has(id));
  return [
    ...lost.map(({ messageId, status }) => `${what} ${messageId} is ${status} and was never published`),
    ...strangers.map((id) => `${what} ${id} was published and is no message`),
  ];
}
