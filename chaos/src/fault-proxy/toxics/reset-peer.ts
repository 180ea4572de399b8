import { NOTHING_HELD, type Chunk, type Held, type StageContext } from '../data-path/stage.js';
import { after } from './after.js';
import { Passing } from './passing.js';

/** Resets the connection (RST to both sides) `timeout` ms after the first chunk or the end of this direction. */
export class ResetPeer extends Passing {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly attributes: { timeout: number },
    context: StageContext,
  ) {
    super(context);
  }

  override take(chunk: Chunk): void {
    this.drop(chunk);
    this.arm();
  }

  override end(): void {
    this.arm();
  }

  /** Bytes are missing already: what has begun to end ends now. */
  override stop(): Held {
    if (this.timer) this.reset();
    return NOTHING_HELD;
  }

  private arm(): void {
    if (this.attributes.timeout === 0) this.reset();
    else this.timer ??= after(this.attributes.timeout, () => this.reset());
  }

  private reset(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.context.effects.resets++;
    this.context.reset();
  }
}
