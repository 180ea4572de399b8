/** When each host last took a message. Bounded by the allow-list: no other host is ever asked. */
export class RecentSuccesses {
  private readonly lastMs = new Map<string, number>();

  constructor(
    private readonly windowMs: number,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  note(hostPort: string): void {
    this.lastMs.set(hostPort, this.monotonicMs());
  }

  has(hostPort: string): boolean {
    const lastMs = this.lastMs.get(hostPort);
    return lastMs !== undefined && this.monotonicMs() - lastMs <= this.windowMs;
  }
}
