import type { RunFacts, Sample } from '../facts.js';
import { isServer } from '../plan.js';
import { faultWindows, phaseAt } from './fault-windows.js';

/** A time under load in which nothing was broken and the number of relays stayed the same. */
export interface Stretch {
  readonly relays: number;
  /** At least two. */
  readonly samples: readonly Sample[];
  readonly seconds: number;
}

/** After a change the world is given this long to find its pace. */
const CALM_AFTER_MS = 2_000;
/** Shorter stretches say more of the batches than of the rate. */
const SHORTEST_MS = 2_500;

export const isRelay = (process: string): boolean => /^relay-\d+$/.test(process);

export const relaysAlone = ({ plan }: RunFacts): boolean => plan.world.settings['FAST_PATH'] === 'off';

/** Whether a process sends deductions. */
export const senders = (facts: RunFacts): ((process: string) => boolean) =>
  relaysAlone(facts) ? isRelay : (process) => !isServer(process) && !process.startsWith('inventory');

export function calmStretches(facts: RunFacts): Stretch[] {
  const { history, samples, plan } = facts;
  const startMs = phaseAt(history, 'load');
  const endMs = phaseAt(history, 'healing') ?? phaseAt(history, 'settling');
  if (startMs === null || endMs === null) return [];
  const stretches: Stretch[] = [];
  let calmFromMs = startMs + CALM_AFTER_MS;
  let { relays } = plan.world;
  for (const { fault, fromMs, toMs } of [...faultWindows(history), END(endMs)]) {
    const toCalmMs = Math.min(fromMs, endMs);
    const calm = samples.filter(({ atMs }) => atMs >= calmFromMs && atMs <= toCalmMs);
    const within = betweenWhole(calm, senders(facts));
    if (lengthMs(within) >= SHORTEST_MS) stretches.push({ relays, samples: within, seconds: lengthMs(within) / 1000 });
    calmFromMs = Math.max(calmFromMs, (toMs ?? endMs) + CALM_AFTER_MS);
    if (fault?.kind === 'scale') relays = fault.to;
  }
  return stretches;
}

const END = (atMs: number) => ({ fault: null, fromMs: atMs, toMs: atMs });

const lengthMs = (samples: readonly Sample[]): number => (samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0);

/** Whether every counter of those that run could be read; a page that comes late is left out. */
export const isWhole = ({ running, sentBy }: Sample, counts: (process: string) => boolean): boolean =>
  running.every((process) => !counts(process) || process in sentBy);

/** Without the samples at either end that are not whole: nobody knows what was sent by then. */
function betweenWhole(samples: readonly Sample[], counts: (process: string) => boolean): readonly Sample[] {
  const from = samples.findIndex((sample) => isWhole(sample, counts));
  return from === -1 ? [] : samples.slice(from, samples.findLastIndex((sample) => isWhole(sample, counts)) + 1);
}

/** What was sent between the samples by those that `counts` names; a counter that fell belongs to a process that began anew. */
export function sentDuring(samples: readonly Sample[], counts: (process: string) => boolean): number {
  let total = 0;
  const last = new Map<string, number>();
  for (const { sentBy } of samples) {
    for (const [process, sent] of Object.entries(sentBy)) {
      const before = last.get(process);
      if (before !== undefined && counts(process)) total += sent >= before ? sent - before : sent;
      last.set(process, sent);
    }
  }
  return total;
}
