import type { Transition } from '../facts.js';

/**
 * The moves that a row may make after its insert, as the state machines say; the third word names the action that a
 * person must have recorded for it. Said once more here, on the harness's own authority, so that an arrow which is
 * added to the component to make room for a mistake turns a test red: moves.test.ts holds it against arrows.ts.
 */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly action: 'retry' | 'replay' | 'give-up' | null;
}

const move = (from: string, to: string, action: Move['action'] = null): Move => ({ from, to, action });

export const MOVES: Readonly<Record<Transition['table'], readonly Move[]>> = {
  producer_message: [
    move('PENDING', 'SENDING'),
    move('SENDING', 'SENT'),
    move('SENDING', 'PENDING'),
    move('SENDING', 'FAILED'),
    move('PENDING', 'PENDING'),
    move('FAILED', 'PENDING', 'retry'),
    move('SENT', 'PENDING', 'replay'),
    move('PENDING', 'FAILED', 'give-up'),
  ],
  consumer_message: [
    move('PENDING_RETRY', 'RETRYING'),
    move('RETRYING', 'SUCCESS'),
    move('RETRYING', 'PENDING_RETRY'),
    move('RETRYING', 'FAILED'),
    move('FAILED', 'PENDING_RETRY', 'retry'),
  ],
};

/** Attempts and lost leases are counted when a holder's time ends otherwise than well, and one move counts one of them. */
export function countsFit({ from, to, retryCountRose, lostCountRose }: Transition): boolean {
  if (!retryCountRose && !lostCountRose) return true;
  const wasHeld = from === 'SENDING' || from === 'RETRYING';
  return wasHeld && to !== 'SENT' && to !== 'SUCCESS' && !(retryCountRose && lostCountRose);
}
