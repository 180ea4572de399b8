import type { AskedOrders, LoadSummary } from '@counterfoil/loadtest';
import type { Difference, Repaired } from '@counterfoil/reconcile';

import type { HistoryRecord } from './history.js';
import type { Plan, Target } from './plan.js';
import type { SeenRequest } from './recorder/seen-request.js';

/** Everything that is known about a run when it is judged. Checkers are pure: these facts → an invariant. */
export interface RunFacts {
  readonly plan: Plan;
  readonly history: readonly HistoryRecord[];
  readonly load: LoadSummary;
  /** What the load asked for, order by order. Left out: what the plan says. */
  readonly asked?: Pick<AskedOrders, 'order'>;
  readonly books: Books;
  readonly end: EndState;
  /** Null when it could not be told what differs. */
  readonly reconciliation: Reconciliation | null;
  /** Where the scenario has a person send again what is FAILED. */
  readonly byHand?: ByHand;
  readonly samples: readonly Sample[];
  readonly logs: readonly LogFinding[];
}

export interface Books {
  /** The stock of the harness's products, before and after; the only table of the services that the arithmetic witness reads. */
  readonly startStock: ReadonlyMap<number, bigint>;
  readonly endStock: ReadonlyMap<number, bigint>;
  /** Ledger of the trigger on orders: an order is placed if, and only if, it is here. */
  readonly placed: readonly PlacedOrder[];
  /** Ledger of the trigger on product, in the order of its sequence. */
  readonly stockChanges: readonly StockChange[];
  /** Ledger of the triggers on both message tables of both databases. */
  readonly transitions: readonly Transition[];
  readonly orders: readonly OrderRow[];
  readonly orderMessages: readonly MessageRow[];
  readonly decisionMessages: readonly MessageRow[];
  readonly deductionNotes: readonly NoteRow[];
  readonly decisionNotes: readonly NoteRow[];
  readonly actions: readonly {
    readonly database: 'order' | 'inventory';
    readonly messageId: string;
    readonly action: string;
  }[];
  /** How often the tap saw each message id on the deduction route, or the recorder saw it taken; null: the scenario runs without. */
  readonly tap: ReadonlyMap<string, number> | null;
  /** The same on the route of the decisions. */
  readonly decisionTap: ReadonlyMap<string, number> | null;
  /** Every request for a deduction over HTTP; null: they go through the queue. */
  readonly http: readonly SeenRequest[] | null;
}

/** What can be read or stay unread. */
export type Part = keyof Books | 'logs' | 'reconciliation';

/** What `npm run reconcile` said of the system when nothing moved any more. */
export interface Reconciliation {
  /** With what a person's replay came to; null: nothing was to be repaired. */
  readonly differences: readonly (Difference & { readonly repaired: Repaired | null })[];
  /**
   * Orders that were placed and whose stock was not taken, by the stock alone, at the same moment; null where the
   * stock cannot be read so.
   */
  readonly missing: readonly string[] | null;
  /** What it said again when everything had settled after the repair; the same as before when nothing was repaired. */
  readonly left: readonly Difference[];
}

export interface PlacedOrder {
  readonly orderId: string;
  /** Of the load; null for an order that the harness never sent. */
  readonly index: number | null;
  readonly productId: number;
  readonly quantity: number;
}

export interface StockChange {
  readonly productId: number;
  readonly before: bigint;
  readonly after: bigint;
}

export interface Transition {
  readonly database: 'order' | 'inventory';
  readonly table: 'producer_message' | 'consumer_message';
  readonly id: string;
  readonly from: string;
  readonly fromVersion: number;
  readonly to: string;
  readonly toVersion: number;
  /** Counts that tell arrows of the same two states apart. */
  readonly retryCountRose: boolean;
  readonly lostCountRose: boolean;
}

export interface OrderRow {
  readonly orderId: string;
  readonly messageId: string;
  readonly idempotencyKey: string | null;
  readonly status: string;
}

export interface MessageRow {
  readonly id: string;
  readonly messageId: string;
  /** From the content. */
  readonly orderId: string;
  /** Of a decision: CONFIRMED or REJECTED; null for a deduction. */
  readonly outcome: string | null;
  readonly status: string;
  readonly retryCount: number;
  readonly lostCount: number;
  readonly errorMsg: string | null;
  readonly version: number;
}

export interface NoteRow {
  readonly id: string;
  readonly messageId: string;
  readonly status: string;
  readonly errorMsg: string | null;
  readonly version: number;
}

export interface ByHand {
  /** Messages of the order database that were FAILED when everything had settled. */
  readonly failed: readonly { readonly messageId: string; readonly errorMsg: string | null }[];
  /** How many of them were sent again. */
  readonly retried: number;
}

export interface EndState {
  /** True when everything became final before nothing had become final for 30 s. */
  readonly settled: boolean;
  /** From the end of healing until all was final, ms; null when it never was. */
  readonly settledAfterMs: number | null;
  readonly queueDepths: Readonly<Record<string, number>>;
  /** They run, are ready, and their loops turn. */
  readonly processesUp: Readonly<Record<string, boolean>>;
  /** By queue, as the broker counts them; null: it did not tell. Runs from before that was asked do not have it. */
  readonly consumers?: Readonly<Record<string, number>> | null;
  /** Parts that could not be read, each with why: `orders: ECONNREFUSED`, beginning with the name of a {@link Part}. */
  readonly unread: readonly string[];
  /** Files of the run that are not whole, each with why; older runs have none. From them it would be judged otherwise. */
  readonly unwritten?: readonly string[];
}

/** What was measured twice a second. */
export interface Sample {
  readonly atMs: number;
  readonly backlog: number | null;
  readonly queueDepth: number | null;
  /** Messages settled as SENT so far by each relay and by the fast path. */
  readonly sentBy: Readonly<Record<string, number>>;
  /** Messages that took effect so far in each process that consumes. */
  readonly consumedBy: Readonly<Record<string, number>>;
  /** Servers and processes of ours that had not ended. */
  readonly running: readonly Target[];
  readonly emptyClaims: number;
  readonly leasesLost: number;
  /** Cores used by each process since the sample before. */
  readonly cores: Readonly<Record<string, number>>;
  readonly foreignCores: number;
}

export interface LogFinding {
  readonly process: string;
  readonly line: string;
  readonly why: 'unhandled' | 'forbidden' | 'secret';
}

/** A checker's answer. null: could not be told, and the verdict is unknown. */
export interface Invariant {
  readonly id: string;
  readonly holds: boolean | null;
  readonly detail: string;
  /** The first few that broke it, for the report. */
  readonly anomalies: readonly string[];
}

export type Checker = (facts: RunFacts) => Invariant;
