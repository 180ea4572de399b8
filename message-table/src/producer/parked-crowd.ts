const SHORTEST_MS = 10_000;
const LONGEST_MS = 300_000;
/** Of each process. Putting a row off costs as much as settling it. */
const ROWS_A_SECOND = 1_000;

/**
 * For how long to put rows off whose way is closed by something that brings them forward when it ends: sending would find
 * out nothing, so the time is only for rows whose relay is gone by then. It is short, unless there are so many that
 * writing each of them that often would keep the database from everything else.
 */
export class ParkedCrowd {
  private beganMs: number;
  private count = 0;
  private ms = SHORTEST_MS;

  constructor(private readonly monotonicMs: () => number) {
    this.beganMs = monotonicMs();
  }

  /** For one more row, ms. */
  nextMs(): number {
    // By then each of them has been put off about once: so many there are.
    if (this.monotonicMs() - this.beganMs >= this.ms) {
      this.ms = Math.min(Math.max(SHORTEST_MS, (1000 * this.count) / ROWS_A_SECOND), LONGEST_MS);
      this.beganMs = this.monotonicMs();
      this.count = 0;
    }
    this.count += 1;
    return this.ms;
  }
}
