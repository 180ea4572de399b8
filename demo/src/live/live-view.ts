/** What is drawn: numbers of the run as they are now. null: not known at this moment. */
export interface LiveView {
  readonly stage: Stage;
  readonly seconds: number;
  readonly totalSeconds: number;
  readonly orders: {
    readonly perSecond: number | null;
    readonly ok: number;
    readonly fail: number;
    readonly info: number;
  };
  readonly confirmed: { readonly perSecond: number | null; readonly total: number };
  /** Messages that the order database holds and that are not sent yet. */
  readonly waiting: number | null;
  /** The same from the beginning on, with the second of each look. */
  readonly waitingBefore: readonly { readonly second: number; readonly count: number }[];
  /** From due to answer, of the last full second. */
  readonly latencyMs: { readonly p50: number; readonly p99: number };
  readonly sentBy: readonly { readonly name: string; readonly perSecond: number | null }[];
  readonly processes: readonly ProcessView[];
}

export type Stage = 'load' | 'settling' | 'books';

export interface ProcessView {
  readonly name: string;
  readonly state: 'up' | 'starting' | 'down';
}
