import type { Ending, Held, StageContext } from '../data-path/stage.js';
import { after } from './after.js';
import { Passing } from './passing.js';

/** Passes the end of this direction on only `delay` ms later. */
export class SlowClose extends Passing {
  private timer: NodeJS.Timeout | undefined;
  private ending: Ending | undefined;

  constructor(
    private readonly attributes: { delay: number },
    context: StageContext,
  ) {
    super(context);
  }

  override end(ending: Ending): void {
    this.ending = ending;
    this.context.effects.delayedMs += this.attributes.delay;
    this.timer = after(this.attributes.delay, () => {
      this.ending = undefined;
      this.context.end(ending);
    });
  }

  override stop(): Held {
    clearTimeout(this.timer);
    return { chunks: [], ending: this.ending };
  }
}
