/**
 * How many deliveries to take at a time. Quorum queues count every return of an unacked delivery, whatever
 * its cause, so a message that kills its process raises the count of everything prefetched beside it. Hence
 * one at a time until one that was never returned has been acked, and again while counted ones arrive.
 */
export interface SlowStart {
  readonly pace: 'one' | 'full';
  /** Counts the changes of pace: a delivery of an earlier pace says nothing about the present one. */
  readonly epoch: number;
}

export interface DeliveryFacts {
  readonly counted: boolean;
  /** The epoch under which it was consumed. */
  readonly epoch: number;
}

export const slowStart = (epoch = 0): SlowStart => ({ pace: 'one', epoch });

export function delivered(state: SlowStart, delivery: DeliveryFacts): SlowStart {
  return state.pace === 'full' && delivery.counted ? { pace: 'one', epoch: state.epoch + 1 } : state;
}

export function acked(state: SlowStart, delivery: DeliveryFacts): SlowStart {
  const proof = state.pace === 'one' && !delivery.counted && delivery.epoch === state.epoch;
  return proof ? { pace: 'full', epoch: state.epoch + 1 } : state;
}

export const prefetchOf = (state: SlowStart, full: number): number => (state.pace === 'full' ? full : 1);
