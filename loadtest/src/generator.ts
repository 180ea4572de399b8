import { warmedUpArrivals, type Arrivals } from './arrivals.js';
import { Latencies, type LatencySummary } from './latencies.js';
import { orderIdIn, outcomeSoFar, type Outcome } from './outcome.js';
import { Sender, type OrderToSend } from './sender.js';
import { Tally } from './tally.js';

export interface GeneratorOptions {
  /** Of the order service. */
  readonly url: string;
  /** Of the order services of further shards: an order goes to one of all by its index, and so does every repeat of it. */
  readonly moreUrls?: readonly string[];
  /** Orders a second. */
  readonly rate: number;
  /** Load that counts for the books and not for the latencies. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** A time in which nothing is due; what comes after it is due later by its length. */
  readonly quiet?: Quiet | null;
  /** When orders are due; default: more and more of them during the warm-up, then `rate`. */
  readonly arrivals?: Arrivals;
  readonly connections: number;
  /** For one answer, from the moment its request is sent. */
  readonly timeoutMs: number;
  /** How often an order of unknown outcome is repeated with its key. */
  readonly retries: number;
  readonly order: (index: number) => OrderToSend;
  /** Once for each order. */
  readonly onEnd?: (ended: EndedOrder) => void;
}

export interface EndedOrder {
  readonly index: number;
  readonly outcome: Outcome;
  /** The id that an `ok` answer names; null for every other, and `?` where it names none. */
  readonly orderId: string | null;
  /** From the moment it was due, ms. */
  readonly latencyMs: number;
  /** From the start of the load, ms. */
  readonly atMs: number;
}

export interface Quiet {
  /** From the start of the load, ms. */
  readonly fromMs: number;
  readonly forMs: number;
}

export type Phase = 'warm-up' | 'measured' | 'draining';

export interface Progress {
  readonly phase: Phase;
  readonly elapsedMs: number;
  readonly attempted: number;
  readonly ok: number;
  readonly fail: number;
  readonly info: number;
  /** Attempted and without an outcome yet. */
  readonly open: number;
  /** Of the `ok` answers of the last full second. */
  readonly recentMs: LatencySummary;
}

export interface LoadSummary {
  readonly planned: number;
  readonly attempted: number;
  readonly ok: number;
  readonly fail: number;
  readonly info: number;
  /** Orders attempted a second, after the warm-up. */
  readonly rate: number;
  /** Due → `ok` answer, after the warm-up. */
  readonly latencyMs: LatencySummary;
  /** Due → sent, after the warm-up: what the generator and its connections made of the plan. */
  readonly latenessMs: LatencySummary;
  readonly failed: readonly number[];
  readonly unknown: readonly number[];
}

const RETRY_REST_MS = 200;

/**
 * Open model: every order has its time, as `arrivals` says, whatever became of the orders before it, and its latency counts from then.
 * One that finds no free connection waits and stays due, so that a slow service shows as latency and not as less load.
 */
export class Generator {
  private readonly senders: readonly Sender[];
  private readonly arrivals: Arrivals;
  private readonly planned: number;
  private readonly firstMeasured: number;
  private readonly tally: Tally;
  private readonly latency = new Latencies();
  private readonly lateness = new Latencies();
  private readonly recent = new Latencies();
  private recentMs = this.recent.summary();
  private recentSinceMs = 0;
  private startedMs = 0;
  private lastDispatchedMs = 0;
  private done: () => void = () => undefined;

  constructor(private readonly options: GeneratorOptions) {
    this.senders = [options.url, ...(options.moreUrls ?? [])].map((url) => new Sender({ ...options, url }));
    this.arrivals = options.arrivals ?? warmedUpArrivals(options.rate, options.warmUpSeconds, options.seconds);
    this.planned = this.arrivals.count;
    this.firstMeasured = this.arrivals.countBefore(options.warmUpSeconds);
    this.tally = new Tally(this.planned);
  }

  /** Opens the connections, so that none has to be made under load. */
  async open(): Promise<void> {
    await Promise.all(this.senders.map((sender) => sender.open()));
  }

  /**
   * Resolves when every order has an outcome.
   * @param onStarted told when order 0 is due, on the clock of performance.now()
   */
  async run(onStarted: (startedMs: number) => void = () => undefined): Promise<LoadSummary> {
    this.startedMs = performance.now();
    onStarted(this.startedMs);
    await new Promise<void>((resolve) => {
      this.done = resolve;
      this.dispatchDue();
      this.endWhenAllHaveEnded(); // where nothing is planned, no order's end will do it
    });
    await Promise.all(this.senders.map((sender) => sender.close()));
    return this.summary();
  }

  progress(): Progress {
    const elapsedMs = performance.now() - this.startedMs;
    if (elapsedMs - this.recentSinceMs >= 1000) {
      this.recentMs = this.recent.summary();
      this.recent.clear();
      this.recentSinceMs = elapsedMs;
    }
    return { phase: this.phase(), elapsedMs, ...this.tally.counts, open: this.tally.open, recentMs: this.recentMs };
  }

  private phase(): Phase {
    const { attempted } = this.tally.counts;
    if (attempted >= this.planned) return 'draining';
    return attempted < this.firstMeasured ? 'warm-up' : 'measured';
  }

  private readonly dispatchDue = (): void => {
    const now = performance.now();
    while (this.tally.counts.attempted < this.planned && this.dueMs(this.tally.counts.attempted) <= now) {
      const index = this.tally.counts.attempted;
      this.tally.attempt();
      this.attempt(index, this.options.order(index), 0, null);
    }
    this.lastDispatchedMs = now;
    if (this.tally.counts.attempted < this.planned)
      setTimeout(this.dispatchDue, this.dueMs(this.tally.counts.attempted) - now);
  };

  private dueMs(index: number): number {
    const { quiet } = this.options;
    const afterMs = this.arrivals.dueMs(index);
    return this.startedMs + afterMs + (quiet && afterMs >= quiet.fromMs ? quiet.forMs : 0);
  }

  /** Of the time that passed until the last order was sent, what was quiet by plan. */
  private quietMs(): number {
    const { quiet } = this.options;
    return quiet && this.dueMs(this.planned - 1) >= this.startedMs + quiet.fromMs + quiet.forMs ? quiet.forMs : 0;
  }

  private attempt(index: number, order: OrderToSend, repeats: number, before: Outcome | null): void {
    this.senders[index % this.senders.length]?.send(order, ({ outcome, body, sentAtMs }) => {
      if (repeats === 0 && sentAtMs !== null && index >= this.firstMeasured)
        this.lateness.record(sentAtMs - this.dueMs(index));
      const known = outcomeSoFar(before, outcome);
      if (known === 'info' && repeats < this.options.retries) {
        setTimeout(() => {
          this.attempt(index, order, repeats + 1, known);
        }, RETRY_REST_MS);
      } else this.end(index, known, known === 'ok' ? orderIdIn(body) : null);
    });
  }

  private end(index: number, outcome: Outcome, orderId: string | null): void {
    this.tally.end(index, outcome);
    const nowMs = performance.now();
    const latencyMs = nowMs - this.dueMs(index);
    if (outcome === 'ok') this.recordLatency(index, latencyMs);
    this.options.onEnd?.({ index, outcome, orderId, latencyMs, atMs: nowMs - this.startedMs });
    this.endWhenAllHaveEnded();
  }

  private endWhenAllHaveEnded(): void {
    if (this.tally.counts.attempted === this.planned && this.tally.open === 0) this.done();
  }

  private recordLatency(index: number, ms: number): void {
    this.recent.record(ms);
    if (index >= this.firstMeasured) this.latency.record(ms);
  }

  private summary(): LoadSummary {
    const { tally } = this;
    const dropped = tally.dropped();
    const loadedMs = this.lastDispatchedMs - this.startedMs - this.options.warmUpSeconds * 1000 - this.quietMs();
    const measured = tally.counts.attempted - this.firstMeasured;
    if (dropped > 0) throw new Error(`${String(dropped)} orders were attempted and have no outcome`);
    return {
      planned: this.planned,
      ...tally.counts,
      rate: this.planned === 0 ? 0 : measured / (loadedMs / 1000 + 1 / this.options.rate),
      latencyMs: this.latency.summary(),
      latenessMs: this.lateness.summary(),
      failed: tally.ended('fail'),
      unknown: tally.ended('info'),
    };
  }
}
