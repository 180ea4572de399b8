import type { HistoryRecord } from '../../history.js';
import type { Chart } from '../chart/chart.js';
import { bucketAt, bucketsFor, middles, type Buckets } from './buckets.js';
import { percentile } from './percentile.js';

type Answer = Extract<HistoryRecord, { kind: 'order' }>;

/** What the orders' answers show: one pass over them, and only buckets are kept. */
export function orderCharts(history: readonly HistoryRecord[], lengthMs: number): Chart[] {
  const answers = history.filter((record) => record.kind === 'order');
  const buckets = bucketsFor(lengthMs, answers.length);
  return [latency(answers, buckets), throughput(answers, buckets)];
}

/** By the moment at which an order was due: an order that waits tells of the moment that made it wait. */
function latency(answers: readonly Answer[], buckets: Buckets): Chart {
  const found = Array.from({ length: buckets.count }, (): number[] => []);
  for (const { outcome, atMs, latencyMs } of answers)
    if (outcome === 'ok') found[bucketAt(buckets, atMs - latencyMs)]?.push(latencyMs);
  const sorted = found.map((values) => Float64Array.from(values).sort());
  const line = (name: string, rank: number) => ({ name, values: sorted.map((values) => percentile(values, rank)) });
  return {
    title: 'Latency',
    about: `from the moment an order was due to its acknowledgement, per ${String(buckets.widthMs)} ms of due time; logarithmic`,
    unit: 'ms',
    scale: 'log',
    timesMs: middles(buckets),
    lines: [line('p50', 0.5), line('p99', 0.99)],
  };
}

const OUTCOMES = { ok: 'ok', fail: 'refused', info: 'unknown' } as const;

function throughput(answers: readonly Answer[], buckets: Buckets): Chart {
  const counts = { ok: zeros(buckets), fail: zeros(buckets), info: zeros(buckets) };
  let [first, last] = [Infinity, -Infinity];
  for (const { outcome, atMs } of answers) {
    const bucket = bucketAt(buckets, atMs);
    counts[outcome][bucket] = (counts[outcome][bucket] ?? 0) + 1;
    first = Math.min(first, bucket);
    last = Math.max(last, bucket);
  }
  const perSecond = 1000 / buckets.widthMs;
  return {
    title: 'Answers',
    about: 'by outcome and the moment they came',
    unit: '/s',
    scale: 'linear',
    timesMs: middles(buckets),
    lines: (['ok', 'fail', 'info'] as const).map((outcome) => ({
      name: OUTCOMES[outcome],
      values: counts[outcome].map((found, bucket) => (bucket >= first && bucket <= last ? found * perSecond : null)),
    })),
  };
}

const zeros = ({ count }: Buckets): number[] => Array.from({ length: count }, () => 0);
