import type { Chunk, Held, StageContext } from '../data-path/stage.js';
import { NOTHING_HELD } from '../data-path/stage.js';
import { after } from './after.js';
import { Passing } from './passing.js';

/** Drops every byte. Closes the connection when none has come for `timeout` ms; never by itself with 0. */
export class Timeout extends Passing {
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(attributes: { timeout: number }, context: StageContext) {
    super(context);
    if (attributes.timeout > 0) this.timer = after(attributes.timeout, () => this.close());
  }

  override take(chunk: Chunk): void {
    this.drop(chunk);
    this.timer?.refresh();
  }

  override stop(): Held {
    clearTimeout(this.timer);
    return NOTHING_HELD;
  }

  private close(): void {
    this.context.effects.closes++;
    this.context.end('whole');
  }
}
