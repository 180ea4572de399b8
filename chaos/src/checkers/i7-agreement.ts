import type { Books, Invariant, NoteRow, RunFacts } from '../facts.js';
import { notesOfNemesis, ordersGivenUp } from './expected-failures.js';
import { told } from './finding.js';
import { groupBy, repeated } from './lookup.js';
import { trails, type Trail } from './order-trails.js';

/** Note, effect and decision agree: a deduction noted as SUCCESS has one decision, and the order and the stock say the same. */
export const agreement = (facts: RunFacts): Invariant =>
  told({ id: 'I7', needs: NEEDS }, facts, () => {
    const { orders, deductionNotes } = facts.books;
    if (orders.length === 0) return 'there is no order';
    return {
      detail: `${String(orders.length)} orders, ${String(deductionNotes.length)} notes`,
      anomalies: [...disagreeing(facts), ...strayNotes(facts)],
    };
  });

const NEEDS = [
  'placed',
  'orders',
  'orderMessages',
  'deductionNotes',
  'decisionMessages',
  'decisionNotes',
  'endStock',
] as const;

function disagreeing(facts: RunFacts): string[] {
  const givenUp = ordersGivenUp(facts);
  const trailOf = trails(facts);
  return facts.books.orders.flatMap(({ orderId, messageId, status }) => {
    const wrong = givenUp.has(orderId) ? traces(trailOf(orderId, messageId)) : gap(status, trailOf(orderId, messageId));
    return wrong === null ? [] : [`order ${orderId} is ${status}: ${wrong}`];
  });
}

function gap(status: string, { notes, decisions, takenNotes, deducted }: Trail): string | null {
  const wanted = { note: 'SUCCESS', decision: status, 'note of its decision': 'SUCCESS' };
  const found = {
    note: only(notes.map((note) => note.status)),
    decision: only(decisions.map(({ outcome }) => outcome ?? 'unreadable')),
    'note of its decision': only(takenNotes.map((note) => note.status)),
  };
  const wrong = KINDS.find((kind) => found[kind] !== wanted[kind]);
  if (wrong !== undefined) return `its ${wrong} is ${found[wrong]}`;
  const due = status === 'CONFIRMED' ? 1 : 0;
  return deducted === null || deducted === due ? null : `its stock was taken ${String(deducted)} times`;
}

const KINDS = ['note', 'decision', 'note of its decision'] as const;

/** Of an order that was given up as planned. */
function traces({ decisions, deducted }: Trail): string | null {
  if (decisions.length > 0) return 'it was given up and has a decision';
  return deducted === null || deducted === 0 ? null : 'it was given up and its stock was taken';
}

function strayNotes({ plan, books }: RunFacts): string[] {
  const { orderMessages, decisionMessages, deductionNotes, decisionNotes } = books;
  const deductions = [...orderMessages.map(({ messageId }) => messageId), ...notesOfNemesis(plan)];
  return [
    ...stray('deduction', deductionNotes, new Set(deductions)),
    ...stray('decision', decisionNotes, new Set(decisionMessages.map(({ messageId }) => messageId))),
    ...strayDecisions(books),
  ];
}

function stray(what: string, notes: readonly NoteRow[], known: ReadonlySet<string>): string[] {
  const unknown = notes.filter(({ messageId }) => !known.has(messageId));
  return [
    ...unknown.map(({ messageId }) => `the note of ${what} ${messageId} has no message`),
    ...repeated(groupBy(notes, ({ messageId }) => messageId)).map((id) => `${what} ${id} has two notes`),
  ];
}

function strayDecisions({ orders, decisionMessages }: Books): string[] {
  const known = new Set(orders.map(({ orderId }) => orderId));
  const unknown = decisionMessages.filter(({ orderId }) => !known.has(orderId));
  return unknown.map(({ messageId }) => `decision ${messageId} is about no order`);
}

/** What the only one says; else how many there are. */
const only = ([first, ...more]: readonly string[]): string => {
  if (first === undefined) return 'missing';
  return more.length === 0 ? first : `there ${String(1 + more.length)} times`;
};
