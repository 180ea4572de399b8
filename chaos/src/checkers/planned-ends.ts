import type { MessageRow, NoteRow, RunFacts } from '../facts.js';
import { poisonBodies } from '../nemesis/poison-bodies.js';
import { killerOrders } from './expected-failures.js';
import { faultWindows } from './fault-windows.js';
import { hadEffect } from './had-effect.js';
import { groupBy } from './lookup.js';

/**
 * What the plan makes fail has to be there, and FAILED: what is swallowed in silence would fail nowhere.
 *
 * @returns a text when it cannot be told
 */
export function plannedEnds(facts: RunFacts): readonly string[] | string {
  const killer = killersEnd(facts);
  return typeof killer === 'string' ? killer : [...poisonEnds(facts), ...killer];
}

/** Of bodies that the broker has confirmed. */
function poisonEnds({ history, books }: RunFacts): string[] {
  const notes = groupBy(books.deductionNotes, ({ messageId }) => messageId);
  const bodies = faultWindows(history).flatMap((window) =>
    window.fault.kind === 'poison' && hadEffect(window) ? poisonBodies(window.fault.bodies) : [],
  );
  return [...new Set(bodies.map(({ notedAs }) => notedAs))].flatMap((id) => {
    const wrong = notFailedOnce(notes.get(id) ?? []);
    return wrong === null ? [] : [`the unreadable body ${id} ${wrong}`];
  });
}

function notFailedOnce([note, ...more]: readonly NoteRow[]): string | null {
  if (note === undefined) return 'has no note';
  if (more.length > 0) return `has ${String(1 + more.length)} notes`;
  return note.status === 'FAILED' ? null : `is noted as ${note.status}`;
}

/** As many leases as a message may lose. */
const MOST_LOST = 5;

function killersEnd(facts: RunFacts): readonly string[] | string {
  const killers = killerOrders(facts);
  if (killers === null) return [];
  const messages = facts.books.orderMessages.filter(({ orderId }) => killers.has(orderId));
  if (messages.length === 0) return 'the order whose message kills its sender was never placed';
  const spared = messages.filter(({ status }) => status !== 'FAILED');
  const early = spared.find((row) => timesLost(facts, row) < MOST_LOST);
  if (early !== undefined)
    return `the message that kills its sender is ${early.status} after ${String(timesLost(facts, early))} leases`;
  return spared.map(({ messageId, status }) => `${messageId} has lost ${String(MOST_LOST)} leases and is ${status}`);
}

/** How often it was held by somebody who never said what became of it. */
const timesLost = ({ books }: RunFacts, message: MessageRow): number =>
  books.transitions
    .filter(({ database, table, id }) => database === 'order' && table === 'producer_message' && id === message.id)
    .filter(({ from, to }) => from === 'SENDING' && to === 'PENDING').length;
