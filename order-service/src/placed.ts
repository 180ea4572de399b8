import type { Order } from './order.js';

/** What became of a request. */
export type Placed =
  | Readonly<{ kind: 'created' | 'replayed'; order: Order }>
  /** The key was used before for other fields. */
  | Readonly<{ kind: 'key-reused' }>
  /** Certainly nothing was stored: it was never tried. */
  | Readonly<{ kind: 'not-accepted' }>
  /** Certainly nothing was stored: the database's trouble, or a bug. */
  | Readonly<{ kind: 'failed'; error: unknown }>
  /** COMMIT stayed unanswered until the deadline. */
  | Readonly<{ kind: 'outcome-unknown' }>;

export const notAccepted: Placed = { kind: 'not-accepted' };
export const outcomeUnknown: Placed = { kind: 'outcome-unknown' };
