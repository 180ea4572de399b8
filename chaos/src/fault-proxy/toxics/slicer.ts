import type { Chunk, StageContext } from '../data-path/stage.js';
import { Holding, type Piece } from './holding.js';

const CAPACITY_CHUNKS = 2;

interface SlicerAttributes {
  average_size: number;
  size_variation: number;
  delay: number;
}

/** Cuts each chunk into pieces of about `average_size` bytes and rests `delay` µs after each; timers add up to a millisecond. */
export class Slicer extends Holding {
  private freeAtMs = 0;
  /** Of the chunk in hand, the first piece last. */
  private sizes: number[] = [];

  constructor(
    private readonly attributes: SlicerAttributes,
    context: StageContext,
  ) {
    super(context, CAPACITY_CHUNKS);
  }

  protected plan({ data, atMs }: Chunk): Piece {
    if (this.sizes.length === 0) this.sizes = this.slices(data.length).reverse();
    const dueMs = Math.max(this.freeAtMs, atMs);
    this.freeAtMs = dueMs + this.attributes.delay / 1000;
    this.context.effects.pieces++;
    return { sizeBytes: this.sizes.pop() ?? data.length, dueMs };
  }

  /** In halves, more or less, until each is small enough. `size_variation` < `average_size` keeps both halves above 0. */
  private slices(sizeBytes: number): number[] {
    const { average_size: average, size_variation: variation } = this.attributes;
    if (sizeBytes <= average + variation) return [sizeBytes];
    const first = Math.floor(sizeBytes / 2) + Math.floor(this.context.random() * 2 * variation) - variation;
    return [...this.slices(first), ...this.slices(sizeBytes - first)];
  }
}
