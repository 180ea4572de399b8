/** A rate limit that is kept over any second: tokens flow in evenly, and at most a tenth of a second's worth is kept. */
export interface TokenBucket {
  /** Takes up to `wanted` whole tokens. */
  take(wanted: number): number;
  /** Gives back what was taken and not used. */
  putBack(count: number): void;
  /** How long until `wanted` tokens (or a full bucket) are there, ms. */
  waitMs(wanted: number): number;
}

/** @param perSecond 0 for no limit */
export function createTokenBucket(perSecond: number, monotonicMs: () => number = () => performance.now()): TokenBucket {
  if (perSecond === 0) return { take: (wanted) => wanted, putBack: () => undefined, waitMs: () => 0 };
  const capacity = Math.max(1, perSecond / 10);
  let tokens = capacity;
  let filledMs = monotonicMs();
  const fill = (): void => {
    const nowMs = monotonicMs();
    tokens = Math.min(capacity, tokens + ((nowMs - filledMs) / 1000) * perSecond);
    filledMs = nowMs;
  };
  return {
    take: (wanted) => {
      fill();
      const taken = Math.min(wanted, Math.floor(tokens));
      tokens -= taken;
      return taken;
    },
    putBack: (count) => {
      tokens = Math.min(capacity, tokens + count);
    },
    waitMs: (wanted) => {
      fill();
      return Math.max(0, ((Math.min(wanted, Math.floor(capacity)) - tokens) / perSecond) * 1000);
    },
  };
}
