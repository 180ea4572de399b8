/** A cut connection or a fail-over rarely takes three tries. */
const ENOUGH = 3;
/** Where nothing takes effect any more, one message says as much as all of them: the others wait for the same mending. */
const REST_MS = 30_000;
/** A message that is tried elsewhere is never heard of again. */
const MOST_REMEMBERED = 1_000;

/**
 * How often each delivery was handled alone and met the database's own trouble, while the database answered: what
 * tells a message that meets it always from an outage.
 */
export class LoneFailures {
  private readonly counts = new Map<string, number>();
  private restsUntilMs = -Infinity;

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  /** One more. @returns true when it is the message that meets trouble, not everybody */
  failedAgain(key: string): boolean {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.delete(key);
    this.counts.set(key, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > MOST_REMEMBERED && oldest !== undefined) this.counts.delete(oldest);
    return count >= ENOUGH && this.monotonicMs() >= this.restsUntilMs;
  }

  /** The next one is not put aside at once, unless something takes effect meanwhile. */
  putAside(key: string): void {
    this.counts.delete(key);
    this.restsUntilMs = this.monotonicMs() + REST_MS;
  }

  tookEffect(): void {
    this.restsUntilMs = -Infinity;
  }
}
