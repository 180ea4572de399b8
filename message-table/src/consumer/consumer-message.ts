import type { Trace } from '../observe/trace-context.js';

/** The states of a row of consumer_message: the note that an effect took place, or is still owed. */

export type ConsumerStatus = 'SUCCESS' | 'PENDING_RETRY' | 'RETRYING' | 'FAILED';

/** A message as it came in, by whatever way. */
export interface Received {
  readonly messageId: string;
  /** The name of the effect, the same for every way in: message id and consumer together take effect once. */
  readonly consumer: string;
  /** The queue or endpoint it came through. */
  readonly receivedBy: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
  /** Set when it cannot be handled whatever the effect does: it is kept as FAILED with this reason. */
  readonly problem?: string;
  /** Where its handling stands in its trace; absent while nobody collects traces. */
  readonly trace?: Trace | undefined;
}

declare const held: unique symbol;

/** Proof that this process may redeliver one note: only the claim of the redelivery task makes one, and a copy finds it again. */
export type RetryClaim = Readonly<{
  [held]: true;
  id: string;
  version: number;
  retryCount: number;
  maxRetryCount: number;
  received: Received;
}>;

export const asRetryClaim = (facts: Omit<RetryClaim, typeof held>): RetryClaim => facts as RetryClaim;

/** What becomes of a note after its handling threw. Pure. */
export function decideFailure(
  { retryCount, maxRetryCount }: { readonly retryCount: number; readonly maxRetryCount: number },
  permanent: boolean,
): 'PENDING_RETRY' | 'FAILED' {
  return permanent || retryCount + 1 >= maxRetryCount ? 'FAILED' : 'PENDING_RETRY';
}
