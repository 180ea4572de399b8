/**
 * Looks again and again until `look` finds something other than null, undefined or false.
 *
 * @param everyMs 10; InnoDB's own list of transactions stays as it was while somebody reads it more often than every 100
 * @throws after `boundMs`
 */
export async function eventually<T>(
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  boundMs = 15_000,
  everyMs = 10,
): Promise<T> {
  const untilMs = performance.now() + boundMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > untilMs) throw new Error(`Not within ${String(boundMs)} ms: ${look.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
