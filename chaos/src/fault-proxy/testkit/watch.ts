const TICK_MS = 5;

/** Times something, and how late timers ran meanwhile: what a busy machine adds is not the proxy's fault. */
export class Watch {
  private readonly startMs = performance.now();
  private lastTickMs = this.startMs;
  private latenessMs = 0;
  private readonly ticking = setInterval(() => this.tick(), TICK_MS);

  /** Never sooner than `nominalMs`, and later only by what the machine explains. */
  expect(nominalMs: number, atMs = performance.now()): void {
    this.stop();
    const elapsedMs = atMs - this.startMs;
    // Node's timers may fire a millisecond early.
    expect(elapsedMs).toBeGreaterThanOrEqual(nominalMs - 3);
    expect(elapsedMs).toBeLessThanOrEqual(nominalMs * 1.5 + 50 + 6 * this.latenessMs);
  }

  /** For what must not wait. `insteadOfMs`: what it would take if it did. */
  expectSooner(insteadOfMs: number, atMs = performance.now()): void {
    this.stop();
    expect(atMs - this.startMs).toBeLessThan(insteadOfMs + 6 * this.latenessMs);
  }

  stop(): void {
    this.tick();
    clearInterval(this.ticking);
  }

  private tick(): void {
    const nowMs = performance.now();
    this.latenessMs = Math.max(this.latenessMs, nowMs - this.lastTickMs - TICK_MS);
    this.lastTickMs = nowMs;
  }
}
