import type { Chunk, Ending, StageContext } from '../data-path/stage.js';
import { Passing } from './passing.js';

/** Passes `bytes` bytes, counted from when the toxic was added, then closes the connection. Updates keep the count. */
export class LimitData extends Passing {
  private isClosed = false;

  constructor(
    private readonly attributes: { bytes: number },
    context: StageContext,
  ) {
    super(context);
  }

  override take(chunk: Chunk): void {
    if (this.isClosed) return this.drop(chunk);
    const { memory, effects } = this.context;
    const room = Math.max(0, this.attributes.bytes - memory.passedBytes);
    const passed = chunk.data.subarray(0, room);
    memory.passedBytes += passed.length;
    effects.droppedBytes += chunk.data.length - passed.length;
    if (passed.length > 0) this.context.take({ data: passed, atMs: chunk.atMs });
    if (room <= chunk.data.length) this.close();
  }

  override end(ending: Ending): void {
    if (!this.isClosed) this.context.end(ending);
  }

  private close(): void {
    this.isClosed = true;
    this.context.effects.closes++;
    this.context.end('whole');
  }
}
