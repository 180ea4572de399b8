/** Destinations that one channel has only refused since they last took something on it. */
export class Refusals {
  private readonly sinceMs = new Map<string, number>();

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  confirmed(destination: string): void {
    this.sinceMs.delete(destination);
  }

  nacked(destination: string): void {
    if (!this.sinceMs.has(destination)) this.sinceMs.set(destination, this.monotonicMs());
  }

  /** True when one of them has said nothing but no for so long. */
  anyFor(limitMs: number): boolean {
    const [first] = this.sinceMs.values();
    return first !== undefined && this.monotonicMs() - first >= limitMs;
  }
}
