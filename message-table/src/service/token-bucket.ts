/**
 * A rate limit. Tokens flow in evenly and at most a tenth of a second's worth is kept: no stretch of two seconds or
 * more gets above the rate by more than 5 %, and whoever comes for them ten times a second gets all.
 */
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

/** Tokens that count against both: a group's own limit, and that of the whole process. */
export function inBoth(own: TokenBucket, shared: TokenBucket): TokenBucket {
  return {
    take: (wanted) => {
      const offered = own.take(wanted);
      const taken = shared.take(offered);
      own.putBack(offered - taken);
      return taken;
    },
    putBack: (count) => {
      own.putBack(count);
      shared.putBack(count);
    },
    waitMs: (wanted) => Math.max(own.waitMs(wanted), shared.waitMs(wanted)),
  };
}
