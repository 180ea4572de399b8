import type { Chunk, StageContext } from '../data-path/stage.js';
import { Holding, type Piece } from './holding.js';

const CAPACITY_CHUNKS = 2;
const PIECE_MS = 100;

/** Lets `rate` bytes through in a millisecond (KB/s with a KB of 1000 bytes); rate 0 holds everything. */
export class Bandwidth extends Holding {
  private freeAtMs = 0;

  constructor(
    private readonly attributes: { rate: number },
    context: StageContext,
  ) {
    super(context, CAPACITY_CHUNKS);
  }

  protected plan({ data, atMs }: Chunk): Piece {
    const { rate } = this.attributes;
    if (rate === 0) return { sizeBytes: data.length, dueMs: Infinity };
    const sizeBytes = Math.min(data.length, rate * PIECE_MS);
    this.freeAtMs = Math.max(this.freeAtMs, atMs) + sizeBytes / rate;
    return { sizeBytes, dueMs: this.freeAtMs };
  }
}
