import { crc32 } from 'node:zlib';

/** The states of a row of producer_message, and what each carries. The arrows are in docs/reference/states.md. */

export type ProducerStatus = 'PENDING' | 'SENDING' | 'SENT' | 'FAILED';

declare const held: unique symbol;

/**
 * Proof that this process holds the lease on one row: only the claim and the insert as SENDING make one.
 * `id` and `version` together are the fence of every later update.
 */
export type Claim = Readonly<{
  [held]: true;
  id: string;
  version: number;
  messageId: string;
  /** Attempts that ended refused, before this one. */
  retryCount: number;
  maxRetryCount: number;
  /** When the lease ends by this process's monotonic clock, ms; a little earlier than in the database. */
  leaseEndsMs: number;
}>;

/** For the two modules that may vouch for a claim. */
export const asClaim = (facts: Omit<Claim, typeof held>): Claim => facts as Claim;

/** Everything that may be said about a row by whoever holds it. There is no other ending. */
export type Settlement =
  | Readonly<{ to: 'SENT' }>
  /** An attempt was used: back-off, computed in SQL, and at least `pauseMs`. */
  | Readonly<{ to: 'PENDING'; why: 'refused'; reason: string; pauseMs: number }>
  /** No attempt was used. `suspect` makes the next attempt a lone one; it comes after `pauseMs` at the earliest. */
  | Readonly<{ to: 'PENDING'; why: 'unknown'; reason: string; suspect: boolean; pauseMs: number }>
  /** Nothing was sent; another process may take it at once. */
  | Readonly<{ to: 'PENDING'; why: 'given-back' }>
  | Readonly<{ to: 'FAILED'; reason: string; attemptUsed: boolean }>;

export const HOUSE_COUNT = 10;

/** The shard of a message, as the insert computes it in SQL: `CRC32(message_id) MOD 10`. */
export const houseOf = (messageId: string): number => crc32(messageId) % HOUSE_COUNT;
