import type { Sample } from '../../facts.js';
import type { HistoryRecord } from '../../history.js';
import { MOST_POINTS } from './buckets.js';
import { orderCharts } from './order-charts.js';
import { sampleCharts } from './sample-charts.js';

const order = (index: number, atMs: number, latencyMs: number, outcome: 'ok' | 'info' = 'ok'): HistoryRecord => ({
  ...{ kind: 'order', index, atMs, latencyMs, outcome, orderId: null },
});

const sample = (atMs: number, sent: number | null, backlog: number | null = 0): Sample => ({
  ...{ atMs, backlog, queueDepth: null, sentBy: sent === null ? {} : { 'relay-1': sent } },
  ...{ consumedBy: {}, running: [] },
  ...{ emptyClaims: 0, leasesLost: 0, cores: {}, foreignCores: 0 },
});

const valuesOf = (samples: readonly Sample[], title: string) =>
  sampleCharts(samples).find((chart) => chart.title === title)?.lines[0]?.values;

describe('the charts of the orders', () => {
  it('when an order waited, then its latency stands where it was due and its answer where it came', () => {
    const steady = Array.from({ length: 2_000 }, (_, index) => order(index, index * 5 + 2, 2));
    const [latency, answers] = orderCharts([...steady, order(2_000, 8_000, 6_000, 'ok')], 10_000);
    const at = (atMs: number): number => latency?.timesMs.findIndex((time) => Math.abs(time - atMs) <= 50) ?? -1;
    expect(latency?.lines[1]?.values[at(2_050)]).toBe(6_000);
    expect(latency?.lines[1]?.values[at(8_050)]).toBe(2);
    expect(answers?.lines[0]?.values[at(8_050)]).toBe(210);
    expect(answers?.lines[0]?.values[at(2_050)]).toBe(200);
  });

  it('when an outcome is unknown, then it counts as an answer and not as a latency', () => {
    const [latency, answers] = orderCharts([order(0, 500, 400, 'info')], 1_000);
    expect(latency?.lines.flatMap(({ values }) => values).every((value) => value === null)).toBe(true);
    expect(Math.max(...(answers?.lines[2]?.values ?? []).map(Number))).toBeGreaterThan(0);
  });

  it('when a run is long, then it has no more points than can be drawn', () => {
    const many = Array.from({ length: 60_000 }, (_, index) => order(index, index, 3));
    for (const lengthMs of [60_000, 75_000, 3_600_000, 86_400_000])
      for (const { timesMs } of orderCharts(many, lengthMs)) expect(timesMs.length).toBeLessThanOrEqual(MOST_POINTS);
    expect(orderCharts(many, 70_000)[0]?.timesMs[0]).toBe(250);
  });
});

describe('the charts of the samples', () => {
  it('when a counter falls, then its process began anew and what it counts since is what was sent', () => {
    expect(valuesOf([sample(0, 100), sample(500, 150), sample(1_000, 20)], 'Sent')).toEqual([null, 100, 40]);
  });

  it('when a process or a server did not answer, then there is a gap and no zero', () => {
    expect(valuesOf([sample(0, 0), sample(500, null), sample(1_000, 50), sample(1_500, 60)], 'Sent')).toEqual([
      null,
      null,
      null,
      20,
    ]);
    expect(valuesOf([sample(0, 0, 7), sample(500, 0, null)], 'Backlog')).toEqual([7, null]);
  });

  it('when there are many samples, then neighbours are one point: the highest backlog, the rate over all', () => {
    const samples = Array.from({ length: 480 }, (_, index) => sample(index * 500, index * 10, index % 2 === 0 ? 9 : 1));
    expect(valuesOf(samples, 'Backlog')).toEqual(Array.from({ length: 240 }, () => 9));
    expect(valuesOf(samples, 'Sent')).toEqual(Array.from({ length: 240 }, () => 20));
  });
});
