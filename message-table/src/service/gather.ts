import { outsideTransactions } from '../database/current-transaction.js';
import { outsideTraces } from '../observe/tracer.js';

export interface GatherOptions<Item, Answer> {
  /** Items in one run at most. */
  readonly maxItems: number;
  /** How long the first item of a run waits for company, ms. */
  readonly maxWaitMs: number;
  /** Runs at the same time at most; items gather while all of them are busy. */
  readonly maxRuns: number;
  /** Answers in the order of the items. When it throws, every item of the run gets that error. */
  run(items: readonly Item[]): Promise<readonly Answer[]>;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Gathers what arrives within a few milliseconds, runs it together, and answers each.
 *
 * At a thousand a second, requests that share one transaction with multi-row statements take a third of the
 * processor time of requests that each have their own, and twice as many fit.
 */
export class Gatherer<Item, Answer> {
  private readonly waiting: Waiting<Item, Answer>[] = [];
  private runs = 0;
  private inRuns = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: GatherOptions<Item, Answer>) {}

  /** Items that wait or run. */
  get size(): number {
    return this.waiting.length + this.inRuns;
  }

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    const { maxRuns, maxItems, maxWaitMs } = this.options;
    if (this.runs >= maxRuns) return;
    if (this.waiting.length >= maxItems) this.start();
    else this.timer ??= setTimeout(() => this.start(), maxWaitMs);
  }

  private start(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length === 0 || this.runs >= this.options.maxRuns) return;
    const batch = this.waiting.splice(0, this.options.maxItems);
    this.runs += 1;
    this.inRuns += batch.length;
    // What several callers asked for must not share the fate of a transaction that one of them is inside of, nor its trace.
    void outsideTraces(() => outsideTransactions(() => this.run(batch))).finally(() => {
      this.runs -= 1;
      this.inRuns -= batch.length;
      this.start();
    });
    if (this.waiting.length > 0) this.schedule();
  }

  private async run(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.options.run(batch.map(({ item }) => item));
      batch.forEach((one, index) => one.resolve(answers[index] as Answer));
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  }
}
