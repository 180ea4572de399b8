import type { Chunk, Ending, Held, Stage, StageContext } from '../data-path/stage.js';
import { after } from './after.js';

// Then others have their turn: a thousand slices of each of 500 connections would keep API calls waiting.
const PIECES_A_TURN = 16;

/** The next bytes to pass on, and when. `Infinity`: not before the toxic is changed or removed. */
export interface Piece {
  readonly sizeBytes: number;
  readonly dueMs: number;
}

/** A stage that keeps chunks in order until they are due, whole or in pieces. */
export abstract class Holding implements Stage {
  private readonly queue: Chunk[] = [];
  private ending: Ending | undefined;
  private timer: NodeJS.Timeout | undefined;
  private nextTurn: NodeJS.Immediate | undefined;
  private planned: Piece | undefined;

  constructor(
    protected readonly context: StageContext,
    private readonly capacityChunks: number,
  ) {}

  /** Asked once for each piece, when everything before it has gone. */
  protected abstract plan(chunk: Chunk, nowMs: number): Piece;

  get isFull(): boolean {
    return this.queue.length >= this.capacityChunks;
  }

  take(chunk: Chunk): void {
    this.queue.push(chunk);
    if (this.queue.length === 1) this.advance();
  }

  end(ending: Ending): void {
    if (this.queue.length === 0) this.context.end(ending);
    else this.ending = ending;
  }

  stop(): Held {
    clearTimeout(this.timer);
    clearImmediate(this.nextTurn);
    const held = { chunks: this.queue.splice(0), ending: this.ending };
    this.ending = undefined;
    return held;
  }

  private readonly advance = (): void => {
    let left = PIECES_A_TURN;
    for (let chunk = this.queue[0]; chunk; chunk = this.queue[0]) {
      if (left-- === 0) return this.goOnNextTurn();
      const nowMs = performance.now();
      this.planned ??= this.plan(chunk, nowMs);
      if (this.planned.dueMs > nowMs) return this.rest(this.planned.dueMs - nowMs);
      this.pass(chunk, this.planned);
      this.planned = undefined;
    }
    this.context.relieved();
    if (this.ending) this.context.end(this.ending);
  };

  private goOnNextTurn(): void {
    this.nextTurn = setImmediate(this.advance);
  }

  private rest(ms: number): void {
    if (ms !== Infinity) this.timer = after(ms, this.advance);
    this.context.relieved();
  }

  private pass(chunk: Chunk, { sizeBytes, dueMs }: Piece): void {
    const { data, atMs } = chunk;
    this.note(dueMs - atMs);
    if (sizeBytes >= data.length) this.queue.shift();
    else this.queue[0] = { data: data.subarray(sizeBytes), atMs };
    // Whoever comes after counts from now on: two latencies of 500 ms make one second.
    this.context.take({ data: data.subarray(0, sizeBytes), atMs: Math.max(atMs, dueMs) });
  }

  private note(waitedMs: number): void {
    if (waitedMs <= 0) return;
    this.context.effects.delayedChunks++;
    this.context.effects.delayedMs += waitedMs;
  }
}
