const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/**
 * The rest before attempt number `attempt` (from 1): 0.1 s, doubling to 5 s, each drawn from its upper half, so
 * that the processes of a restarted broker do not come back in step.
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const fullMs = Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS);
  return fullMs / 2 + (random() * fullMs) / 2;
}

/** A rest that ends early when the signal is aborted. */
export function restMs(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
