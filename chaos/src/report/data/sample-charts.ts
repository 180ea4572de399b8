import type { Sample } from '../../facts.js';
import type { Chart } from '../chart/chart.js';
import { MOST_POINTS } from './buckets.js';

/** What was looked at while it ran. */
export function sampleCharts(samples: readonly Sample[]): Chart[] {
  const groups = inGroups(samples);
  const timesMs = groups.map((group) => group.at(-1)?.atMs ?? 0);
  const gauge = (title: string, about: string, valueOf: (sample: Sample) => number | null): Chart => ({
    ...{ title, about, unit: '', scale: 'linear', timesMs },
    lines: [{ name: 'messages', values: groups.map((group) => highest(group.map(valueOf))) }],
  });
  return [
    gauge('Backlog', 'messages in the order database that are not sent yet', ({ backlog }) => backlog),
    gauge('Queue depth', 'deductions that wait in the broker', ({ queueDepth }) => queueDepth),
    { ...{ title: 'Sent', about: 'messages settled as SENT, by each process', unit: '/s' }, ...sent(samples, timesMs) },
  ];
}

/** Neighbours together, so that a long run has no more points than can be drawn; the highest of each group is shown. */
function inGroups(samples: readonly Sample[]): Sample[][] {
  const size = Math.max(1, Math.ceil(samples.length / MOST_POINTS));
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, at) => samples.slice(at * size, (at + 1) * size));
}

function highest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function sent(samples: readonly Sample[], timesMs: readonly number[]): Pick<Chart, 'scale' | 'timesMs' | 'lines'> {
  const names = [...new Set(samples.flatMap(({ sentBy }) => Object.keys(sentBy)))].sort();
  const lines = names.map((name) => ({ name, values: ratesOf(name, samples, timesMs) }));
  return { scale: 'linear', timesMs, lines: lines.filter(({ values }) => values.some((rate) => (rate ?? 0) > 0)) };
}

/** Messages a second from each time to the next; null where the process did not answer. */
function ratesOf(name: string, samples: readonly Sample[], timesMs: readonly number[]): (number | null)[] {
  let at = 0;
  return timesMs.map((untilMs) => {
    let total = 0;
    let lengthMs = 0;
    for (; (samples[at]?.atMs ?? Infinity) <= untilMs; at++) {
      const [before, now] = [samples[at - 1], samples[at]];
      const steps = stepOf(before?.sentBy[name], now?.sentBy[name]);
      if (steps === null) continue;
      total += steps;
      lengthMs += (now?.atMs ?? 0) - (before?.atMs ?? 0);
    }
    return lengthMs === 0 ? null : (total * 1000) / lengthMs;
  });
}

/** A counter that fell belongs to a process that began anew. */
function stepOf(before: number | undefined, now: number | undefined): number | null {
  if (before === undefined || now === undefined) return null;
  return now >= before ? now - before : now;
}
