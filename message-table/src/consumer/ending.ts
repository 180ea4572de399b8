import type { ConsumerStatus } from './consumer-message.js';

/**
 * How the handling of a received message ended. Each but 'unstorable' means that its note is committed, so that
 * the sender may forget it.
 *
 * - 'success': it took effect now.
 * - a status: what its note says, which was there before or tells of a failed attempt. The row owns the message.
 * - 'ignored': a republished copy whose claim is over, or whose attempt failed; the row owns the message.
 * - 'unstorable': no statement can hold it.
 */
export type Ending = 'success' | ConsumerStatus | 'ignored' | 'unstorable';

export interface Ended {
  readonly ending: Ending;
  /** Its note was there before. */
  readonly known: boolean;
  /** Why the attempt failed that was noted now. */
  readonly reason?: string;
}

export const ended = (ending: Ending): Ended => ({ ending, known: false });

export const endedFailing = (ending: Ending, reason: string): Ended => ({ ending, known: false, reason });

export const knownAs = (status: ConsumerStatus): Ended => ({ ending: status, known: true });
