/** One request under way; disposing it makes room for the next. */
export type Place = Disposable;

interface Host {
  underWay: number;
  /** In the order of coming. */
  readonly waiting: Set<() => void>;
  /** How long the last requests took, on average; 0 before the first. */
  tookMs: number;
  /** When the last one that was turned away may expect its turn. */
  turnMs: number;
}

/** The average moves by so much of each request: a few slow ones make a host slow. */
const SHARE_OF_ONE = 1 / 16;
const LONGEST_TURN_MS = 60_000;

/**
 * Keeps a slow host from holding what others could use: it has so many requests at most, and what is beyond that is
 * turned away at once. To a quick host it may wait for a moment, as part of a burst.
 */
export class HostPlaces {
  private readonly hosts = new Map<string, Host>();

  /** @param longestWaitMs for a place; a host that works off less than what waits in that time is slow */
  constructor(
    private readonly most: number,
    private readonly longestWaitMs: number,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** @returns a place, or after how many ms there may be one */
  async take(hostPort: string): Promise<Place | number> {
    const host = this.hostOf(hostPort);
    if (host.underWay < this.most) host.underWay += 1;
    else if (!this.isQuick(host) || !(await this.turn(host))) return this.turnedAway(host);
    return this.place(host);
  }

  private hostOf(hostPort: string): Host {
    const host = this.hosts.get(hostPort) ?? { underWay: 0, waiting: new Set(), tookMs: 0, turnMs: 0 };
    this.hosts.set(hostPort, host);
    return host;
  }

  private isQuick({ waiting, tookMs }: Host): boolean {
    return waiting.size < this.most * (this.longestWaitMs / tookMs - 1);
  }

  /** @returns true when a place was handed over */
  private turn({ waiting }: Host): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isHanded: boolean): void => {
        clearTimeout(timer);
        waiting.delete(handOver);
        resolve(isHanded);
      };
      const handOver = (): void => end(true);
      const timer = setTimeout(() => end(false), this.longestWaitMs);
      waiting.add(handOver);
    });
  }

  private place(host: Host): Place {
    const startedMs = this.monotonicMs();
    return {
      [Symbol.dispose]: () => {
        const share = host.tookMs === 0 ? 1 : SHARE_OF_ONE;
        host.tookMs += (this.monotonicMs() - startedMs - host.tookMs) * share;
        const [next] = host.waiting;
        if (next === undefined) host.underWay -= 1;
        else next();
      },
    };
  }

  /** One after the other, as fast as the host works. */
  private turnedAway(host: Host): number {
    const nowMs = this.monotonicMs();
    const turnMs = Math.max(host.turnMs, nowMs) + host.tookMs / this.most;
    host.turnMs = Math.min(turnMs, nowMs + LONGEST_TURN_MS);
    return host.turnMs - nowMs;
  }
}
