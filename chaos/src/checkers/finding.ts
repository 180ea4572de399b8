import type { Invariant, Part, RunFacts } from '../facts.js';

const SHOWN = 10;

/** Holds when there is no anomaly. */
export const finding = (id: string, detail: string, anomalies: readonly string[]): Invariant => ({
  id,
  holds: anomalies.length === 0,
  detail: anomalies.length === 0 ? detail : `${String(anomalies.length)} × ${anomalies[0] ?? ''}; ${detail}`,
  anomalies: anomalies.slice(0, SHOWN),
});

export const untold = (id: string, why: string): Invariant => ({ id, holds: null, detail: why, anomalies: [] });

export interface Wanted {
  readonly id: string;
  /** Without any of these nothing can be told. */
  readonly needs: readonly Part[];
}

/**
 * Asks `look` only when everything that it needs was read: an empty part must never make an invariant hold. `look`
 * answers with a text when it cannot tell either.
 */
export function told(
  { id, needs }: Wanted,
  facts: RunFacts,
  look: () => { readonly detail: string; readonly anomalies: readonly string[] } | string,
): Invariant {
  const unread = unreadOf(facts, needs);
  if (unread.length > 0) return untold(id, `not read: ${unread.join('; ')}`);
  const seen = look();
  return typeof seen === 'string' ? untold(id, seen) : finding(id, seen.detail, seen.anomalies);
}

const unreadOf = ({ end }: RunFacts, needs: readonly Part[]): string[] =>
  end.unread.filter((line) => needs.some((part) => line === part || line.startsWith(`${part}:`)));

export const NO_ORDERS = 'no order was attempted';
