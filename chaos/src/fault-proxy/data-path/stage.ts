import type { ToxicEffects } from '../effects.js';

/** Bytes on their way, and since when: what a toxic waits counts from there. */
export interface Chunk {
  readonly data: Buffer;
  readonly atMs: number;
}

/** 'half': the source will send no more but still listens. 'whole': the connection is over, in both directions. */
export type Ending = 'half' | 'whole';

/** Whatever takes the bytes of one direction, in order. Nothing is taken after the end. */
export interface Taker {
  take(chunk: Chunk): void;
  end(ending: Ending): void;
}

/** What a stage had not passed on when it was stopped. The first chunk is the one in hand. */
export interface Held {
  readonly chunks: readonly Chunk[];
  readonly ending?: Ending | undefined;
}

export const NOTHING_HELD: Held = { chunks: [] };

/** One toxic at work on one direction of one connection. */
export interface Stage extends Taker {
  /** More would be too much: the source is not read until `relieved()` was called. */
  readonly isFull: boolean;
  /** Ends the waits. Called once, when the toxic is updated, removed, or the connection is over. */
  stop(): Held;
}

/** What a stage may do, and what it has to report. */
export interface StageContext extends Taker {
  readonly random: () => number;
  readonly effects: ToxicEffects;
  /** Survives updates of the toxic. */
  readonly memory: { passedBytes: number };
  relieved(): void;
  /** Ends the connection with an RST on both sides. */
  reset(): void;
}
