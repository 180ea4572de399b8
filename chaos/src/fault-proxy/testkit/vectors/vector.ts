import type { Bench } from '../bench.js';

/** One line of the specification's section "Conformance vectors". */
export interface Vector {
  readonly id: string;
  /** when …, then … */
  readonly promise: string;
  readonly run: (bench: Bench) => Promise<void>;
}

export const vector = (id: string, promise: string, run: Vector['run']): Vector => ({ id, promise, run });
