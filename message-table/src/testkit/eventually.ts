/**
 * Looks again and again until `look` finds something other than null, undefined or false.
 *
 * @throws with what the last look found, after `boundMs`
 */
export async function eventually<T>(
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  boundMs = 15_000,
): Promise<T> {
  const untilMs = performance.now() + boundMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > untilMs) throw new Error(`Not within ${String(boundMs)} ms: ${look.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
