/** The kinds of process that run what is replaced. */
export type ProcessKind = 'order-service' | 'inventory-service' | 'relay';

export interface Sabotage {
  /** Of its file, and of `--sabotage`. */
  readonly name: string;
  /** The mechanism that it takes away. */
  readonly breaks: string;
  readonly in: readonly ProcessKind[];
  /** Where it must be caught, and by which invariants: by each of them. */
  readonly scenario: string;
  readonly caughtBy: readonly string[];
  /** Beyond the scenario's own; the honest run has them as well. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Why no invariant can see that the mechanism is gone. */
  readonly survives?: string;
}

export const SERVICES: readonly ProcessKind[] = ['order-service', 'inventory-service'];
export const SENDERS: readonly ProcessKind[] = [...SERVICES, 'relay'];
