const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 15;

/**
 * Looks again and again until there is an answer: for what no event tells.
 *
 * @throws Error that names what was waited for
 */
export async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  while (performance.now() < endMs) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error(`Waited ${String(PATIENCE_MS)} ms for ${what}`);
}
