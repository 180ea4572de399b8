import type { MessageRow, NoteRow, RunFacts } from '../facts.js';
import { spelledDeductions } from './arithmetic.js';
import { groupBy } from './lookup.js';

/** What there is of one order, beyond its row. */
export interface Trail {
  readonly notes: readonly NoteRow[];
  readonly decisions: readonly MessageRow[];
  readonly takenNotes: readonly NoteRow[];
  /** Times that the stock spells; null where it cannot be read. */
  readonly deducted: number | null;
}

/** Looks one order's trail up. */
export function trails(facts: RunFacts): (orderId: string, messageId: string) => Trail {
  const { deductionNotes, decisionMessages, decisionNotes } = facts.books;
  const notes = groupBy(deductionNotes, (note) => note.messageId);
  const decisions = groupBy(decisionMessages, (message) => message.orderId);
  const taken = groupBy(decisionNotes, (note) => note.messageId);
  const times = timesByOrder(facts);
  return (orderId, messageId) => {
    const decided = decisions.get(orderId) ?? [];
    return {
      notes: notes.get(messageId) ?? [],
      decisions: decided,
      takenNotes: decided.flatMap((decision) => taken.get(decision.messageId) ?? []),
      deducted: times.get(orderId) ?? null,
    };
  };
}

function timesByOrder(facts: RunFacts): Map<string, number> {
  const spelled = spelledDeductions(facts);
  if (spelled === null) return new Map();
  const times = facts.books.placed.map(({ orderId, index }) => [orderId, spelled.times[index ?? -1] ?? 0] as const);
  return new Map(times);
}
