import { build, type Histogram } from 'hdr-histogram-js';

export interface LatencySummary {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

const LONGEST_US = 600_000_000;

/** An HDR histogram of durations in ms, kept in µs to three digits. */
export class Latencies {
  private readonly histogram: Histogram = build({
    bitBucketSize: 32,
    highestTrackableValue: LONGEST_US,
    numberOfSignificantValueDigits: 3,
  });

  record(ms: number): void {
    this.histogram.recordValue(Math.min(LONGEST_US, Math.max(0, Math.round(ms * 1000))));
  }

  clear(): void {
    this.histogram.reset();
  }

  summary(): LatencySummary {
    const atMs = (percentile: number): number =>
      this.histogram.totalCount === 0 ? 0 : this.histogram.getValueAtPercentile(percentile) / 1000;
    return {
      count: this.histogram.totalCount,
      p50: atMs(50),
      p90: atMs(90),
      p99: atMs(99),
      p999: atMs(99.9),
      max: this.histogram.maxValue / 1000,
    };
  }
}
