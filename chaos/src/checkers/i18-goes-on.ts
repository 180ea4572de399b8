import { arrivalsOf } from '@counterfoil/loadtest';

import type { Invariant, RunFacts, Sample } from '../facts.js';
import type { HistoryRecord } from '../history.js';
import type { GoesOn } from '../plan.js';
import { faultWindows, phaseAt } from './fault-windows.js';
import { told } from './finding.js';
import { isWhole } from './stretches.js';

const LONGEST_SILENCE_MS = 4_000;

/** What has a stand-in, or no part in what is broken, does not notice: its orders are taken, and it goes on sending. */
export const goesOn = (facts: RunFacts): Invariant =>
  told({ id: 'I18', needs: [] }, facts, () => {
    const { goesOn: wanted } = facts.plan.expected;
    if (wanted === undefined) return 'the scenario names nothing that must go on';
    const [first] = faultWindows(facts.history);
    if (first === undefined) return 'nothing was broken';
    const answered = facts.history.filter((record) => isOf(wanted, record));
    const notTaken = answered.filter((record) => record.kind === 'order' && record.outcome !== 'ok');
    const silence = longestSilence(underLoad(facts, first.fromMs), wanted.processes);
    if (answered.length === 0 || silence === null) return 'nobody looked';
    const { silenceMs, unseenMs } = silence;
    const mayBeSilentMs = wanted.silenceMs ?? LONGEST_SILENCE_MS;
    if (notTaken.length === 0 && silenceMs <= mayBeSilentMs && unseenMs > mayBeSilentMs)
      return `for ${String(unseenMs)} ms nobody could read what ${wanted.processes.join(', ')} had sent`;
    return {
      detail: `${String(answered.length)} orders, ${String(notTaken.length)} of them not taken; the longest silence ${String(silenceMs)} ms`,
      anomalies: [
        ...notTaken.flatMap((one) => (one.kind === 'order' ? [`order ${String(one.index)} ended ${one.outcome}`] : [])),
        ...(silenceMs > mayBeSilentMs
          ? [`${wanted.processes.join(', ')} sent nothing for ${String(silenceMs)} ms`]
          : []),
      ],
    };
  });

const isOf = ({ orders: { first, every } }: GoesOn, record: HistoryRecord): boolean =>
  record.kind === 'order' && record.index % every === first;

/** From the first fault until the load ended. */
function underLoad({ history, samples, load, plan }: RunFacts, fromMs: number): Sample[] {
  const startMs = phaseAt(history, 'warm-up') ?? 0;
  const endMs = startMs + arrivalsOf(plan.load).dueMs(load.attempted);
  return samples.filter(({ atMs }) => atMs >= fromMs && atMs <= endMs);
}

interface Silence {
  /** The longest time in which none of the processes counted another message as sent. */
  readonly silenceMs: number;
  /** The longest time in which they may have sent, or not: their counters could not be read. */
  readonly unseenMs: number;
}

/** Whether one of them has sent more than when it was read last, which is remembered in `last`. */
function anyRose({ sentBy }: Sample, processes: readonly string[], last: Map<string, number>): boolean {
  const read = processes.flatMap((process) => {
    const sent = sentBy[process];
    return sent === undefined ? [] : [{ process, sent, before: last.get(process) ?? 0 }];
  });
  for (const { process, sent } of read) last.set(process, sent);
  return read.some(({ sent, before }) => sent > before);
}

/** @returns null when there are no counts */
function longestSilence(samples: readonly Sample[], processes: readonly string[]): Silence | null {
  const last = new Map<string, number>();
  let sinceMs: number | null = null;
  let seenMs = samples[0]?.atMs ?? 0;
  let [silenceMs, unseenMs] = [0, 0];
  for (const sample of samples) {
    const { atMs } = sample;
    unseenMs = Math.max(unseenMs, atMs - seenMs);
    if (anyRose(sample, processes, last)) sinceMs = atMs;
    else if (!isWhole(sample, (process) => processes.includes(process))) continue;
    else if (sinceMs !== null) silenceMs = Math.max(silenceMs, atMs - sinceMs);
    seenMs = atMs;
  }
  return sinceMs === null ? null : { silenceMs, unseenMs };
}
