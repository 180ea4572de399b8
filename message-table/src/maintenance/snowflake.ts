/**
 * Ids that sort by time and need no round trip: 41 bits of milliseconds, 10 of worker id, 12 of sequence.
 * The worker id comes from a lease (worker-lease.ts), so replicas never share one.
 */

/** 2024-01-01T00:00:00Z; 41 bits of milliseconds last until 2093. */
export const SNOWFLAKE_EPOCH_MS = 1_704_067_200_000;

const SEQUENCE_BITS = 12n;
const WORKER_BITS = 10n;
const SEQUENCES_PER_MS = 1 << Number(SEQUENCE_BITS);

/** What an id generator needs to know: which worker it is, and what time the database has. */
export interface WorkerClock {
  /** @throws MessageTableError `NO_WORKER_ID` while no lease is certain. */
  now(): { readonly workerId: number; readonly nowMs: number };
}

/** @returns a function that never gives the same id twice and never goes back, as decimal strings. */
export function createSnowflake(clock: WorkerClock): () => string {
  let lastMs = 0;
  let lastWorkerId = 0;
  let sequence = 0;
  return () => {
    const { workerId, nowMs } = clock.now();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      sequence = 0;
    } else if (workerId !== lastWorkerId) {
      // A smaller worker id in the same millisecond would go back.
      lastMs += 1;
      sequence = 0;
    } else if (++sequence === SEQUENCES_PER_MS) {
      // More than 4096 in a millisecond: borrow from the next one rather than wait.
      lastMs += 1;
      sequence = 0;
    }
    lastWorkerId = workerId;
    const elapsed = BigInt(lastMs - SNOWFLAKE_EPOCH_MS);
    return (
      (elapsed << (WORKER_BITS + SEQUENCE_BITS)) |
      (BigInt(workerId) << SEQUENCE_BITS) |
      BigInt(sequence)
    ).toString();
  };
}

/** When an id was made, ms since 1970 on the database's clock. */
export const snowflakeTimeMs = (id: string): number =>
  Number(BigInt(id) >> (WORKER_BITS + SEQUENCE_BITS)) + SNOWFLAKE_EPOCH_MS;

/** The smallest id that can be made at that time, ms since 1970: where a walk by id begins that looks no further back. */
export const firstIdAt = (timeMs: number): string =>
  (BigInt(Math.max(0, Math.floor(timeMs) - SNOWFLAKE_EPOCH_MS)) << (WORKER_BITS + SEQUENCE_BITS)).toString();
