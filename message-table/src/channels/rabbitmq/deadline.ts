export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * The promise's ending, or a {@link DeadlineError} when it has none in time. The promise goes on; its late
 * failure is nobody's unhandled rejection.
 */
export async function withDeadline<T>(promise: Promise<T>, deadlineMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`${what}: no answer within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
