import { DECISIONS, DEDUCTIONS } from './routes.js';
import { walkMessages } from './walks/walk-messages.js';
import { walkNotes } from './walks/walk-notes.js';
import { walkOrders } from './walks/walk-orders.js';
import type { Walking } from './walks/walk.js';

/** How many of each were looked at. */
export interface Looked {
  readonly orders: number;
  readonly deductions: number;
  readonly deductionNotes: number;
  readonly decisions: number;
  readonly decisionNotes: number;
}

/**
 * Compares orders, messages and deductions of a running system and names every difference, one at a time: reads by
 * pages of ids, each statement its own snapshot, and looks at whatever does not fit a second time.
 *
 * @throws the driver's error: then nothing can be said of what was not looked at
 */
export async function reconcile(walking: Walking): Promise<Looked> {
  return {
    orders: await walkOrders(walking),
    deductions: await walkMessages(walking, DEDUCTIONS),
    deductionNotes: await walkNotes(walking, DEDUCTIONS),
    decisions: await walkMessages(walking, DECISIONS),
    decisionNotes: await walkNotes(walking, DECISIONS),
  };
}
