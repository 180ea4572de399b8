/** How long a row waits before it is sent again. All arithmetic happens in SQL, on the database's clock. */
export interface RetryPolicy {
  /** The gap after the first refused attempt; doubles with every further one. Shorter: a receiver in trouble gets more of it. */
  readonly retryBaseMs: number;
  /** The longest gap. Longer: what is mended is found later. */
  readonly retryMaxMs: number;
  /** The pause after an attempt without an answer. Shorter: an outage costs more attempts in vain. */
  readonly unknownPauseMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = { retryBaseMs: 2_000, retryMaxMs: 7_200_000, unknownPauseMs: 2_000 };

/** Microseconds of `ms` ± 20 %, as SQL; the jitter keeps rows that failed together from coming back together. */
const jittered = (ms: string): string => `CAST(${ms} * 1000 * (0.8 + 0.4 * RAND()) AS SIGNED)`;

/**
 * `min(base × 2^(retry_count − 1), max)` ± 20 % after now. `retryCount` names the column before it is raised;
 * the exponent is capped so that no number of retries overflows.
 */
export const backOff = (retryCount: string): string =>
  `NOW(3) + INTERVAL ${jittered(`LEAST(? * POW(2, LEAST(${retryCount}, 40)), ?)`)} MICROSECOND`;

export const pause = `NOW(3) + INTERVAL ${jittered('?')} MICROSECOND`;

/** `due`, but not before the pause that was asked for, of so many ms, is over: jittered upwards only. */
export const atLeast = (due: string): string =>
  `GREATEST(${due}, NOW(3) + INTERVAL CAST(? * 1000 * (1 + 0.2 * RAND()) AS SIGNED) MICROSECOND)`;
