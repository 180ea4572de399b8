/** One clock for all parts of an attempt, look-up included. */
export interface AttemptDeadline extends Disposable {
  readonly signal: AbortSignal;
  /** Settles as the promise does, or rejects at the deadline; the system's look-up cannot be cancelled. */
  within<T>(promise: Promise<T>): Promise<T>;
}

export function startDeadline(timeoutMs: number): AttemptDeadline {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  return {
    signal,
    within: (promise) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        promise.then(resolve, reject);
      }),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
