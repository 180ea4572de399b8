import { NOTHING_HELD, type Chunk, type Ending, type Held, type Stage, type StageContext } from '../data-path/stage.js';

/** A stage that passes everything on at once: the toxic `noop`, and what others that hold no bytes begin with. */
export class Passing implements Stage {
  readonly isFull = false;

  constructor(protected readonly context: StageContext) {}

  take(chunk: Chunk): void {
    this.context.take(chunk);
  }

  end(ending: Ending): void {
    this.context.end(ending);
  }

  stop(): Held {
    return NOTHING_HELD;
  }

  protected drop({ data }: Chunk): void {
    this.context.effects.droppedBytes += data.length;
  }
}
