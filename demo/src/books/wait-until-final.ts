export interface WaitOptions {
  /** How much is still open; may fail while a database is away. */
  readonly countOpen: () => Promise<number>;
  /** Gives up when nothing became final for so long. */
  readonly stuckAfterMs: number;
  readonly nowMs: () => number;
  readonly rest: () => Promise<unknown>;
}

/**
 * Waits as long as there is progress, however long it takes.
 *
 * @returns what is still open: 0, or more when it got stuck. Null when it could not be counted in the end
 */
export async function waitUntilFinal({ countOpen, stuckAfterMs, nowMs, rest }: WaitOptions): Promise<number | null> {
  let fewest = Infinity;
  let progressAtMs = nowMs();
  for (;;) {
    const open = await countOpen().catch(() => null);
    if (open === 0) return 0;
    if (open !== null && open < fewest) {
      fewest = open;
      progressAtMs = nowMs();
    }
    if (nowMs() - progressAtMs > stuckAfterMs) return open;
    await rest();
  }
}
