/** How the recorder treats what comes in from now on. */
export type Manner =
  | { readonly kind: 'pass' }
  /** Nothing reaches the receiver; every request gets this status. */
  | { readonly kind: 'answer'; readonly status: number }
  /** The receiver does its work, and its answers come so late. */
  | { readonly kind: 'hold'; readonly holdMs: number };

export const PASS: Manner = { kind: 'pass' };

/** Where a redirect leads: to the same door, which lets these in, so that following it would deliver the message. */
const MOVED = '?moved';

export const hasMoved = (path: string): boolean => path.endsWith(MOVED);

/** What a receiver in trouble says beside its status. */
export function headersOf(status: number, path: string): Record<string, string> {
  const common = { 'content-length': '0', connection: 'close' };
  if (status === 429 || status === 503) return { ...common, 'retry-after': '1' };
  return status >= 300 && status < 400 ? { ...common, location: path + MOVED } : common;
}
