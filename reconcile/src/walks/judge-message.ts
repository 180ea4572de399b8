import type { Message } from '../books/messages.js';
import type { Note } from '../books/notes.js';
import type { Order } from '../books/orders.js';
import type { DifferenceKind } from '../difference.js';
import type { RouteName } from '../routes.js';

/** A message and what stands beside it. */
export interface Surroundings {
  readonly route: RouteName;
  readonly message: Message;
  readonly note: Note | undefined;
  /** The one that it names. */
  readonly order: Order | undefined;
  /** False: the order asks for a product that is not there. */
  readonly productIsThere: boolean;
}

export interface Found {
  readonly kind: DifferenceKind;
  readonly detail: string;
}

/** What does not fit, or null. Pure; younger than `inFlightMs` is on its way. */
export function judgeMessage(seen: Surroundings, inFlightMs: number): Found | null {
  const { message, note } = seen;
  if (!isOrdered(seen)) return { kind: 'message-without-order', detail: saying(message.status, message.errorMsg) };
  if (message.status === 'FAILED') return { kind: 'message-failed', detail: saying('FAILED', message.errorMsg) };
  if (message.status !== 'SENT') {
    return message.ageMs < inFlightMs
      ? null
      : { kind: 'message-waiting', detail: saying(message.status, message.errorMsg) };
  }
  if (note === undefined) return message.restingMs < inFlightMs ? null : { kind: 'not-received', detail: 'SENT' };
  return note.status === 'SUCCESS' ? judgeEffect(seen) : judgeOwed(seen, note, inFlightMs);
}

function isOrdered({ route, message, order }: Surroundings): boolean {
  return order !== undefined && (route === 'decision' || order.messageId === message.messageId);
}

function judgeEffect({ route, message, order }: Surroundings): Found | null {
  if (route === 'deduction' || order?.status === message.outcome) return null;
  return {
    kind: 'order-not-decided',
    detail: `${message.outcome ?? 'no outcome'}; the order is ${order?.status ?? ''}`,
  };
}

function judgeOwed({ productIsThere }: Surroundings, note: Note, inFlightMs: number): Found | null {
  const detail = saying(note.status, note.errorMsg);
  if (note.status !== 'FAILED' && note.ageMs < inFlightMs) return null;
  if (!productIsThere) return { kind: 'product-missing', detail };
  return { kind: note.status === 'FAILED' ? 'note-failed' : 'note-waiting', detail };
}

const saying = (status: string, errorMsg: string | null): string =>
  errorMsg === null ? status : `${status}: ${errorMsg}`;
