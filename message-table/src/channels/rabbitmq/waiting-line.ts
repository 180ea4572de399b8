import { unknown } from '../outcome.js';
import type { Lane } from './lane.js';
import type { Publication } from './publication.js';

/**
 * The lane that `send` writes to, and those that wait, unwritten and in order, while it is full or being
 * reopened. It is as long as what the callers have in flight, and nobody waits longer than the attempt's time-out.
 */
export class WaitingLine {
  private lane: Lane | null = null;
  private readonly waiting: Publication[] = [];

  get size(): number {
    return this.waiting.length;
  }

  use(lane: Lane | null): void {
    this.lane = lane;
    this.flush();
  }

  write(publication: Publication): void {
    if (this.waiting.length === 0 && this.lane && !this.lane.full) this.lane.write(publication);
    else this.waiting.push(publication);
  }

  flush(): void {
    let next = 0;
    while (next < this.waiting.length && this.lane && !this.lane.full) {
      const publication = this.waiting[next++];
      if (publication) this.lane.write(publication);
    }
    this.waiting.splice(0, next);
  }

  expire(nowMs: number, limitMs: number): void {
    const late = this.waiting.findIndex(({ startedMs }) => nowMs - startedMs < limitMs);
    this.end('time-out before it was written', late === -1 ? this.waiting.length : late);
  }

  /** None of these was written: no attempt is used. */
  end(reason: string, count = this.waiting.length): void {
    for (const publication of this.waiting.splice(0, count)) publication.settle(unknown(reason));
  }
}
