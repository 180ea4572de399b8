import type { RunFacts } from '../facts.js';

/** A message or note that ended FAILED for a reason that the scenario plans. */
export const isPlannedFailure = (
  { plan }: Pick<RunFacts, 'plan'>,
  { status, errorMsg }: { readonly status: string; readonly errorMsg: string | null },
): boolean =>
  status === 'FAILED' && plan.expected.plannedFailures.some((reason) => errorMsg?.includes(reason) === true);

/** Bodies that the nemesis itself published; one without an id has none here either. */
export const isNemesisMessage = (messageId: string): boolean => messageId === '' || messageId.startsWith('poison-');

/** Orders whose deduction was given up as planned: they take no stock and get no decision. */
export function ordersGivenUp(facts: Pick<RunFacts, 'plan' | 'books'>): Set<string> {
  const { orderMessages, deductionNotes } = facts.books;
  const notes = new Set(
    deductionNotes.filter((note) => isPlannedFailure(facts, note)).map(({ messageId }) => messageId),
  );
  const messages = orderMessages.filter((row) => isPlannedFailure(facts, row) || notes.has(row.messageId));
  return new Set(messages.map(({ orderId }) => orderId));
}
