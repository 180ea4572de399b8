import type { Step } from './fail-points/steps.js';

/** What a run will do, decided by its seed before anything starts; `plan.json` holds exactly this. */
export interface Plan {
  readonly scenario: string;
  readonly seed: number;
  readonly sabotage: string | null;
  readonly load: LoadPlan;
  readonly world: WorldPlan;
  readonly faults: readonly PlannedFault[];
  /** Cells of the step × fault matrix that have to be hit, or the verdict is unknown: `after-confirm-before-settle × kill`. */
  readonly requiredCells: readonly string[];
  /** Invariants that this scenario does not judge, each with the reason. */
  readonly notJudged: Readonly<Record<string, string>>;
  /** What the scenario itself causes and the checkers must expect. */
  readonly expected: Expected;
}

export interface LoadPlan {
  /** Orders a second. */
  readonly rate: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** How often an order of unknown outcome is repeated with its key. */
  readonly retries: number;
  /** powers: the arithmetic witness; hot: one product, random quantities; sold-out: a product that runs dry. */
  readonly workload: 'powers' | 'hot' | 'sold-out';
  /** A pause of the load: what comes after it is due later by its length. From the start of the load. */
  readonly quiet?: { readonly fromMs: number; readonly forMs: number };
}

/** A link between a process and a server that runs through a proxy of its own. */
export type Link =
  | 'order-service→order-db'
  | 'relay→order-db'
  | 'inventory→inventory-db'
  | 'inventory-relay→inventory-db'
  | 'order-service→broker'
  | 'relay→broker'
  | 'inventory→broker'
  | 'inventory-relay→broker';

export interface WorldPlan {
  readonly orderServices: number;
  readonly inventoryServices: number;
  readonly relays: number;
  readonly inventoryRelays: number;
  /** Names of the shards of orders, each with a database of its own; the processes of the order side take turns. Left out: no shards. */
  readonly shards?: readonly string[];
  /** Nodes of the broker's cluster; left out: one, which is no cluster. */
  readonly brokerNodes?: number;
  /** Environment of every process of ours. */
  readonly settings: Readonly<Record<string, string>>;
  readonly links: readonly Link[];
  /** A queue of the harness that sees every publish; not where a binding is removed. */
  readonly tap: boolean;
  /** Where its servers have to run; left out: anywhere. */
  readonly onlyIn?: 'containers';
}

/**
 * `order-service-1`, `inventory-service-1`, `relay-1`, `inventory-relay-1`, `order-db`, `inventory-db`, `broker`; `order-db-2` of the
 * second shard; `broker-1`, `broker-2`, … in a cluster.
 */
export type Target = string;

export const isBroker = (target: Target): boolean => /^broker(-\d+)?$/.test(target);
export const isDatabase = (target: Target): boolean => /-db(-\d+)?$/.test(target);
export const isServer = (target: Target): boolean => isBroker(target) || isDatabase(target);

export type Fault =
  | { readonly kind: 'kill'; readonly target: Target; readonly backAfterMs: number }
  /** One of several nodes of the broker. */
  | { readonly kind: 'kill-node'; readonly target: Target; readonly backAfterMs: number }
  /** A server in a container loses its network and runs on. */
  | { readonly kind: 'disconnect'; readonly target: Target; readonly forMs: number }
  | { readonly kind: 'stop'; readonly target: Target; readonly backAfterMs: number }
  /** Killed exactly at a step of the protocol, by a fail-point. */
  | { readonly kind: 'crash-at'; readonly target: Target; readonly step: Step; readonly backAfterMs: number }
  | { readonly kind: 'pause'; readonly target: Target; readonly forMs: number }
  /** Halted exactly at a step of the protocol, by a fail-point; then it goes on as if nothing had been, or dies. */
  | {
      readonly kind: 'halt-at';
      readonly target: Target;
      readonly step: Step;
      readonly forMs: number;
      readonly then: 'go-on' | 'die';
    }
  /** Whoever of these is halted by a message is killed and started again, as often as it takes. */
  | { readonly kind: 'killer-message'; readonly target: 'relay'; readonly forMs: number }
  /** swallow: bytes vanish and the socket stays; reset: open connections are cut, new ones too. */
  | {
      readonly kind: 'cut';
      readonly link: Link;
      readonly how: 'swallow' | 'reset';
      readonly direction: 'upstream' | 'downstream' | 'both';
      readonly forMs: number;
    }
  | {
      readonly kind: 'slow';
      readonly link: Link;
      readonly latencyMs: number;
      readonly jitterMs: number;
      readonly kilobytesPerSecond: number | null;
      readonly forMs: number;
    }
  | { readonly kind: 'slice'; readonly link: Link; readonly forMs: number }
  | { readonly kind: 'alarm'; readonly forMs: number }
  | { readonly kind: 'unbind'; readonly queue: string; readonly forMs: number }
  /** The queue takes no more than so many: what it has no room for is refused. */
  | { readonly kind: 'queue-limit'; readonly queue: string; readonly messages: number; readonly forMs: number }
  | { readonly kind: 'delete-queue'; readonly queue: string; readonly onlyIfEmpty: boolean }
  /** The archive of the order database gets a day that is long over: whoever keeps its partitions next must drop it. */
  | { readonly kind: 'old-partition'; readonly forMs: number }
  | { readonly kind: 'poison'; readonly bodies: number }
  | { readonly kind: 'deadlocks'; readonly forMs: number }
  /** Every second product is taken away and put back as it was. */
  | { readonly kind: 'missing-products'; readonly forMs: number }
  /** Of the deductions: so many deliveries are dead-lettered unhandled, and copies of so many handled ones as well. */
  | { readonly kind: 'dead-letters'; readonly rejected: number; readonly copies: number }
  /** A person pauses something in the order database, and resumes it. */
  | { readonly kind: 'pause-sending'; readonly scope: 'group' | 'house'; readonly name: string; readonly forMs: number }
  /** Every deduction that comes over HTTP gets this answer, and goes no further. */
  | { readonly kind: 'http-answer'; readonly target: 'recorder'; readonly status: number; readonly forMs: number }
  /** Deductions over HTTP take effect, and their answers come so late. */
  | { readonly kind: 'http-hold'; readonly target: 'recorder'; readonly holdMs: number; readonly forMs: number }
  | { readonly kind: 'scale'; readonly target: 'relay'; readonly to: number };

export type FaultKind = Fault['kind'];

export interface PlannedFault {
  /** `f1`, `f2`, …: names the fault in history, report and shrinking. */
  readonly id: string;
  /** From the start of the load, ms. */
  readonly atMs: number;
  /** Id of an earlier fault: this one does not begin before that has ended, however long it takes. */
  readonly after?: string;
  readonly fault: Fault;
}

export interface Expected {
  /** What the receiver refuses for good is FAILED, exactly that, and a person sends it again before the books are read. */
  readonly retriedByHand?: boolean;
  /** Messages that the scenario itself takes away (a deleted queue); reconcile must name exactly these. */
  readonly plannedLoss: boolean;
  /** Publishes beyond one per message at most; null: derived from the faults. */
  readonly duplicatesAtMost: number | null;
  /** What has a stand-in, or no part in what is broken, and must not notice it; left out: nobody looks. */
  readonly goesOn?: GoesOn;
}

export interface GoesOn {
  /** They go on sending, together. */
  readonly processes: readonly string[];
  /** For how long they may send nothing, ms; 4000 by default: connections move and leaders are elected within it. */
  readonly silenceMs?: number;
  /** None of these orders is refused or left unknown: one of `every`, from index `first` on. */
  readonly orders: { readonly first: number; readonly every: number };
}
