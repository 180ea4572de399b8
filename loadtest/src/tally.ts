import type { Outcome } from './outcome.js';

const OUTCOMES: readonly Outcome[] = ['ok', 'fail', 'info'];
const OPEN = 255;

/** What became of each order. Nothing that was attempted may be missing in the end. */
export class Tally {
  readonly counts = { attempted: 0, ok: 0, fail: 0, info: 0 };
  private readonly outcomes: Uint8Array;

  constructor(planned: number) {
    this.outcomes = new Uint8Array(planned).fill(OPEN);
  }

  get open(): number {
    return this.counts.attempted - this.counts.ok - this.counts.fail - this.counts.info;
  }

  attempt(): void {
    this.counts.attempted += 1;
  }

  /** @throws Error when the order has ended before: it would be counted twice */
  end(index: number, outcome: Outcome): void {
    if (this.outcomes[index] !== OPEN) throw new Error(`Order ${String(index)} ended twice`);
    this.outcomes[index] = OUTCOMES.indexOf(outcome);
    this.counts[outcome] += 1;
  }

  /** Orders that ended so. */
  ended(outcome: Outcome): number[] {
    const wanted = OUTCOMES.indexOf(outcome);
    return [...this.outcomes.keys()].filter((index) => this.outcomes[index] === wanted);
  }

  /** Attempted orders without an outcome, counted from the orders themselves. */
  dropped(): number {
    return this.outcomes.subarray(0, this.counts.attempted).filter((outcome) => outcome === OPEN).length;
  }
}
