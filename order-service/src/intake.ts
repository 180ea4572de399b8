import { Gatherer } from '@counterfoil/message-table';

import type { OrderRequest } from './order.js';
import type { Placed } from './placed.js';

export interface IntakeOptions {
  readonly place: (requests: readonly OrderRequest[]) => Promise<readonly Placed[]>;
  /** A request whose turn has not come after this is refused, ms. */
  readonly turnWaitMs: number;
}

interface Waiting {
  readonly request: OrderRequest;
  state: 'waits' | 'has its turn' | 'refused';
}

const NOT_ACCEPTED: Placed = { kind: 'not-accepted' };

/**
 * Requests that come together share a transaction. While the database is slow they would wait for longer and longer, and
 * be stored after their clients have gone: one whose turn does not come in time is refused, and certainly not stored.
 */
export class Intake {
  private readonly gatherer: Gatherer<Waiting, Placed>;

  constructor(private readonly options: IntakeOptions) {
    this.gatherer = new Gatherer({ maxItems: 100, maxWaitMs: 4, maxRuns: 4, run: (waiting) => this.run(waiting) });
  }

  /** Requests that wait or are being stored. */
  get size(): number {
    return this.gatherer.size;
  }

  place(request: OrderRequest): Promise<Placed> {
    const waiting: Waiting = { request, state: 'waits' };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (waiting.state !== 'waits') return;
        waiting.state = 'refused';
        resolve(NOT_ACCEPTED);
      }, this.options.turnWaitMs);
      this.gatherer
        .add(waiting)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
        });
    });
  }

  private async run(waiting: readonly Waiting[]): Promise<Placed[]> {
    const present = waiting.filter(({ state }) => state === 'waits');
    for (const one of present) one.state = 'has its turn';
    const placed = present.length === 0 ? [] : await this.options.place(present.map(({ request }) => request));
    const answers = new Map(present.map((one, index) => [one, placed[index]]));
    return waiting.map((one) => answers.get(one) ?? NOT_ACCEPTED);
  }
}
