import type { Sample } from '../../facts.js';
import type { Chart, Line } from '../chart/chart.js';
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
    {
      ...{ title: 'Sent', about: 'messages settled as SENT, by each process', unit: '/s', scale: 'linear', timesMs },
      lines: sentLines(samples),
    },
  ];
}

/** Neighbours together, so that a long run has no more points than can be drawn; the highest of each group is shown. */
function inGroups<Item>(items: readonly Item[]): Item[][] {
  const size = Math.max(1, Math.ceil(items.length / MOST_POINTS));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function highest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function sentLines(samples: readonly Sample[]): Line[] {
  const names = [...new Set(samples.flatMap(({ sentBy }) => Object.keys(sentBy)))].sort();
  const lines = names.map((name) => ({
    name,
    values: inGroups(samples.map((now, at) => stepOf(name, samples[at - 1], now))).map(rateOf),
  }));
  return lines.filter(({ values }) => values.some((rate) => (rate ?? 0) > 0));
}

interface Step {
  readonly sent: number;
  readonly lengthMs: number;
}

/** A counter that fell belongs to a process that began anew; null where the process did not answer. */
function stepOf(name: string, before: Sample | undefined, now: Sample): Step | null {
  const [was, is] = [before?.sentBy[name], now.sentBy[name]];
  if (before === undefined || was === undefined || is === undefined) return null;
  return { sent: is >= was ? is - was : is, lengthMs: now.atMs - before.atMs };
}

function rateOf(steps: readonly (Step | null)[]): number | null {
  const known = steps.filter((step) => step !== null);
  const lengthMs = known.reduce((total, step) => total + step.lengthMs, 0);
  return lengthMs === 0 ? null : (known.reduce((total, step) => total + step.sent, 0) * 1000) / lengthMs;
}
