import type { Sample, Target } from '@counterfoil/chaos';
import type { Progress } from '@counterfoil/loadtest';

import type { LiveView, ProcessView } from './live-view.js';

const OVER_MS = 900;

/** A second, of a count that only grows, over about the last second; null when it is not known or began anew. */
export function perSecond(samples: readonly Sample[], of: (sample: Sample) => number | null): number | null {
  const now = samples.at(-1);
  const before = samples.findLast(({ atMs }) => now !== undefined && atMs <= now.atMs - OVER_MS);
  if (now === undefined || before === undefined) return null;
  const [was, is] = [of(before), of(now)];
  return was === null || is === null || is < was ? null : ((is - was) * 1000) / (now.atMs - before.atMs);
}

/** Acknowledged a second between two words of the load. */
export function okPerSecond(before: Progress, now: Progress): number | null {
  const passedMs = now.elapsedMs - before.elapsedMs;
  return passedMs <= 0 ? null : ((now.ok - before.ok) * 1000) / passedMs;
}

/** Orders whose decision was taken; null when the order service did not answer. */
export function confirmedSoFar(sample: Sample): number | null {
  const counts = Object.entries(sample.consumedBy).filter(([name]) => name.startsWith('order-service'));
  return counts.length === 0 ? null : counts.reduce((total, [, count]) => total + count, 0);
}

/** Of the deductions: what the order service sent itself is the fast path. */
export function sentByRates(samples: readonly Sample[]): LiveView['sentBy'] {
  const senders = namesIn(samples, ({ sentBy }) => Object.keys(sentBy)).filter((name) => !name.startsWith('inventory'));
  return senders.map((name) => ({
    name: name.startsWith('order-service') ? 'fast path' : name,
    perSecond: perSecond(samples, ({ sentBy }) => sentBy[name] ?? null),
  }));
}

/** @param away those that ended and are not ready again, by what the run says */
export function processViews(samples: readonly Sample[], away: ReadonlySet<Target>): ProcessView[] {
  const running = samples.at(-1)?.running ?? [];
  return namesIn(samples, (sample) => sample.running).map((name) => ({
    name: name
      .replace(/^(order|inventory)-service-1$/, '$1')
      .replaceAll('-', ' ')
      .replace(/ (\d+)$/, '-$1'),
    state: !running.includes(name) ? 'down' : away.has(name) ? 'starting' : 'up',
  }));
}

export const waitingOver = (samples: readonly Sample[], startedMs: number): LiveView['waitingBefore'] =>
  samples.flatMap(({ atMs, backlog }) =>
    backlog === null ? [] : [{ second: Math.max(0, (atMs - startedMs) / 1000), count: backlog }],
  );

const ORDER = ['order-service', 'inventory-service', 'relay', 'inventory-relay', 'broker', 'order-db', 'inventory-db'];

const rankOf = (name: string): number => ORDER.indexOf(name.replace(/-\d+$/, ''));

/** Of all times, so that what is gone keeps its place. */
const namesIn = (samples: readonly Sample[], of: (sample: Sample) => readonly string[]): string[] =>
  [...new Set(samples.flatMap(of))].sort((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b, 'en'));
