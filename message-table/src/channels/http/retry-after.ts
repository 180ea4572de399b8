import { LONGEST_PAUSE_MS } from '../outcome.js';

/**
 * Reads `Retry-After`: whole seconds or an HTTP date (RFC 9110).
 *
 * @param nowMs on this machine's clock; the bound also bounds what a wrong clock can do
 * @returns 0 to `longestMs`; null when there is nothing that can be read, and the usual back-off holds. Of several
 *   headers the longest.
 */
export function retryAfterMs(
  header: string | readonly string[] | undefined,
  nowMs: number,
  longestMs = LONGEST_PAUSE_MS,
): number | null {
  const texts = typeof header === 'string' ? [header] : (header ?? []);
  const pauses = texts.map((text) => askedMs(text.trim(), nowMs)).filter((ms) => ms !== null);
  return pauses.length === 0 ? null : Math.min(Math.max(0, ...pauses), longestMs);
}

function askedMs(text: string, nowMs: number): number | null {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = new Date(text);
  // Date reads nearly anything ('-5', '1.5', 'soon 1'); only what it would write in the same way is an HTTP date.
  return date.toUTCString() === text ? date.getTime() - nowMs : null;
}
