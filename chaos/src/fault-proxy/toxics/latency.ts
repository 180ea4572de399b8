import type { Chunk, StageContext } from '../data-path/stage.js';
import { Holding, type Piece } from './holding.js';

// As many as the original's queue has.
const CAPACITY_CHUNKS = 1024;

/** Delays each chunk by `latency` ± `jitter` ms from its arrival. Order is kept: a late chunk holds those behind it. */
export class Latency extends Holding {
  constructor(
    private readonly attributes: { latency: number; jitter: number },
    context: StageContext,
  ) {
    super(context, CAPACITY_CHUNKS);
  }

  protected plan({ data, atMs }: Chunk): Piece {
    return { sizeBytes: data.length, dueMs: atMs + this.delayMs() };
  }

  private delayMs(): number {
    const { latency, jitter } = this.attributes;
    return jitter === 0 ? latency : latency - jitter + Math.floor(this.context.random() * 2 * jitter);
  }
}
