/** One request for a deduction, as the recorder in front of the receiver saw it. */
export interface SeenRequest {
  readonly messageId: string;
  /** The status of the answer that went out to its end; null: the sender got none. */
  readonly answered: number | null;
  /** From its coming in until its answer went out, ms. */
  readonly tookMs: number;
}

type Seen = readonly SeenRequest[];

/** How often each message was taken, by an answer that the sender has got: what the tap counts on a queue. */
export const takenBy = (seen: Seen): Map<string, number> => count(seen.filter(({ answered }) => isIn(answered, 200)));

/** The same, without answers that took so long that the sender may have given up when they came. */
export const surelyTakenBy = (seen: Seen, attemptTimeoutMs: number): Map<string, number> =>
  takenBy(seen.filter(({ tookMs }) => tookMs < attemptTimeoutMs / 2));

/** How often each message was sent at all. */
export const sentTo = (seen: Seen): Map<string, number> => count(seen);

/** Messages that got an answer after which nobody may send them again by himself. */
export const refusedForGood = (seen: Seen): Set<string> =>
  new Set(seen.filter(({ answered }) => isIn(answered, 300)).map(({ messageId }) => messageId));

const isIn = (status: number | null, hundreds: 200 | 300): boolean =>
  status !== null && status >= hundreds && status < hundreds + 100;

function count(seen: Seen): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { messageId } of seen) counts.set(messageId, (counts.get(messageId) ?? 0) + 1);
  return counts;
}
