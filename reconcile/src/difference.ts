import type { RouteName } from './routes.js';

/** Something about one order, message or note that does not fit the rest. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Whose message or note it is; an order itself belongs to its deduction. */
  readonly route: RouteName;
  /** Null where none is known. */
  readonly orderId: string | null;
  readonly messageId: string | null;
  /** What the row says: a status, the last error. */
  readonly detail: string;
}

/** retry: a FAILED message; retry-note: a FAILED note; by-hand: no replay can repair it. */
export type Remedy = 'replay' | 'retry' | 'retry-note' | 'wait' | 'by-hand';

export interface Meaning {
  readonly means: string;
  readonly remedy: Remedy;
  readonly todo: string;
}

export type DifferenceKind =
  | 'order-without-message'
  | 'message-without-order'
  | 'message-waiting'
  | 'message-failed'
  | 'message-twice'
  | 'not-received'
  | 'note-waiting'
  | 'note-failed'
  | 'product-missing'
  | 'note-twice'
  | 'note-without-message'
  | 'no-decision'
  | 'order-not-decided';

const BY_HAND = 'by-hand';

export const MEANINGS: Readonly<Record<DifferenceKind, Meaning>> = {
  'order-without-message': {
    means:
      'the order is there and its message is not: they were not written in one transaction, or the message was deleted',
    remedy: BY_HAND,
    todo: 'nothing will ever deduct it: place the order again, or cancel it',
  },
  'message-without-order': {
    means: 'the message names an order that is not there, or that names another message',
    remedy: BY_HAND,
    todo: 'its effect stands without an order: find out who wrote it; undo the effect by hand',
  },
  'message-waiting': {
    means: 'the message is not sent yet',
    remedy: 'wait',
    todo: 'wait: it is sent by itself. If it goes on: does a relay run on this database, is the broker up, is it paused?',
  },
  'message-failed': {
    means: 'the message was given up after all its attempts, or for good',
    remedy: 'retry',
    todo: 'mend what its error names, then retry',
  },
  'message-twice': {
    means: 'the message stands in the live table and in the archive',
    remedy: BY_HAND,
    todo: 'compare both rows and delete the older one',
  },
  'not-received': {
    means:
      'the broker confirmed the message, and it never arrived: a queue was deleted or purged, or the broker lost it',
    remedy: 'replay',
    todo: 'replay: it is sent again under the same id, and a consumer that has it ignores it',
  },
  'note-waiting': {
    means: 'the message arrived and its effect is still to come',
    remedy: 'wait',
    todo: 'wait: it is tried again by itself',
  },
  'note-failed': {
    means: 'the message arrived and its effect was given up',
    remedy: 'retry-note',
    todo: 'mend what its error names, then retry',
  },
  'product-missing': {
    means: 'the order asks for a product that is not there',
    remedy: BY_HAND,
    todo: 'put the product, then retry; or retry nothing and cancel the order',
  },
  'note-twice': {
    means: 'the note stands in the live table and in the archive: its effect may have been applied twice',
    remedy: BY_HAND,
    todo: 'compare both rows with the stock, then delete the younger one',
  },
  'note-without-message': {
    means: 'something took effect, or was kept, that no message of this system asked for',
    remedy: BY_HAND,
    todo: 'find out who published it; undo the effect by hand where there is one',
  },
  'no-decision': {
    means: 'the deduction took effect, and its decision was never written down',
    remedy: BY_HAND,
    todo: 'the stock is taken and the order will not learn of it: decide the order by hand',
  },
  'order-not-decided': {
    means: 'the decision took effect, and the order says otherwise',
    remedy: BY_HAND,
    todo: 'compare the order with its decision and correct it by hand',
  },
};
