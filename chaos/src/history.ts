import type { Fault, Target } from './plan.js';

/** One line of history.jsonl: something that happened, and when. */
export type HistoryRecord = Readonly<{ atMs: number }> & HistoryFact;

export type HistoryFact =
  /** ok: acknowledged; fail: certainly nothing happened; info: anything may have. */
  | {
      readonly kind: 'order';
      readonly index: number;
      readonly outcome: 'ok' | 'fail' | 'info';
      readonly orderId: string | null;
      readonly latencyMs: number;
    }
  | {
      readonly kind: 'fault';
      readonly id: string;
      readonly phase: 'begin' | 'end';
      readonly fault: Fault;
      readonly effect: Effect | null;
    }
  | {
      readonly kind: 'process';
      readonly target: Target;
      readonly what: 'started' | 'ready' | 'exited';
      /** Of an exit: the harness ended it, or it came to the fail-point that it was armed for. */
      readonly expected: boolean;
      /** Of an exit: its code, or the signal that ended it; older histories have neither. */
      readonly code?: number | null;
      readonly signal?: string | null;
    }
  /** A fail-point or an event of the component: the protocol's step that a process was at. */
  | { readonly kind: 'step'; readonly target: Target; readonly step: string; readonly messageId: string | null }
  | { readonly kind: 'phase'; readonly name: 'warm-up' | 'load' | 'healing' | 'settling' | 'books' };

/** What a fault really did, in numbers: connections cut, bytes dropped, exits seen. All zero: it was not injected. */
export type Effect = Readonly<Record<string, number>>;
