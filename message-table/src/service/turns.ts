import { Gatherer } from './gather.js';

export interface TurnsOptions<Item, Answer> {
  /** Items in one run at most. */
  readonly maxItems: number;
  /** How long the first item of a run waits for company, ms. */
  readonly maxWaitMs: number;
  /** Runs at the same time at most. */
  readonly maxRuns: number;
  /** An item whose turn has not come after this is refused, ms. */
  readonly turnWaitMs: number;
  /** The answer of an item that was refused: nothing has been done about it. */
  readonly refusal: Answer;
  /** Answers in the order of the items. */
  run(items: readonly Item[]): Promise<readonly Answer[]>;
}

interface Waiting<Item> {
  readonly item: Item;
  state: 'waits' | 'has its turn' | 'refused';
}

/**
 * Requests that come together share a transaction. While the database is slow they would wait for longer and longer, and
 * be stored after their clients have gone: one whose turn does not come in time is refused, and certainly not stored.
 */
export class Turns<Item, Answer> {
  private readonly gatherer: Gatherer<Waiting<Item>, Answer>;

  constructor(private readonly options: TurnsOptions<Item, Answer>) {
    this.gatherer = new Gatherer({ ...options, run: (waiting) => this.run(waiting) });
  }

  /** Items that wait or run. */
  get size(): number {
    return this.gatherer.size;
  }

  /** @throws what the run of the item throws */
  take(item: Item): Promise<Answer> {
    const waiting: Waiting<Item> = { item, state: 'waits' };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (waiting.state !== 'waits') return;
        waiting.state = 'refused';
        resolve(this.options.refusal);
      }, this.options.turnWaitMs);
      this.gatherer
        .add(waiting)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
        });
    });
  }

  private async run(waiting: readonly Waiting<Item>[]): Promise<Answer[]> {
    const present = waiting.filter(({ state }) => state === 'waits');
    for (const one of present) one.state = 'has its turn';
    const answered = present.length === 0 ? [] : await this.options.run(present.map(({ item }) => item));
    const answers = new Map(present.map((one, index) => [one, answered[index]]));
    return waiting.map((one) => answers.get(one) ?? this.options.refusal);
  }
}
