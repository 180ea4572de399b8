/** The kinds of process that run what is replaced. */
export type ProcessKind = 'order-service' | 'inventory-service' | 'relay';

export interface Sabotage {
  /** Of its file beside this one, and of `--sabotage`. */
  readonly name: string;
  /** The mechanism that it takes away. */
  readonly breaks: string;
  readonly in: readonly ProcessKind[];
  /** Where it must be caught, and by which invariants: by each of them. */
  readonly scenario: string;
  readonly caughtBy: readonly string[];
  /** Why no invariant can see that the mechanism is gone. */
  readonly survives?: string;
}

const SERVICES: readonly ProcessKind[] = ['order-service', 'inventory-service'];
const SENDERS: readonly ProcessKind[] = [...SERVICES, 'relay'];

/** One planted bug for every mechanism, in the order in which a message meets them. */
export const SABOTAGES: readonly Sabotage[] = [
  {
    name: 'dual-write',
    breaks: 'a message is a row before it is anything else',
    in: SERVICES,
    ...{ scenario: 'baseline', caughtBy: ['I3'] },
  },
  {
    name: 'message-outside-transaction',
    breaks: 'order and message are one transaction',
    in: SERVICES,
    ...{ scenario: 'order-service-kill', caughtBy: ['I3'] },
  },
  {
    name: 'publish-before-commit',
    breaks: 'hand-over only after COMMIT returned',
    in: SERVICES,
    ...{ scenario: 'order-service-kill', caughtBy: ['I4'] },
  },
  {
    name: 'unknown-commit-retried-without-key',
    breaks: 'after a COMMIT without an answer the same rows are written again',
    in: ['order-service'],
    ...{ scenario: 'commit-unknown', caughtBy: ['I2'] },
  },
  {
    name: 'double-claim',
    breaks: 'a claim locks its rows and is fenced',
    in: ['relay'],
    ...{ scenario: 'relays-alone', caughtBy: ['I10', 'I16'] },
  },
  {
    name: 'claim-of-uncommitted',
    breaks: 'a claim takes what has committed, and is written before anything is sent',
    in: ['relay'],
    ...{ scenario: 'intake-halted', caughtBy: ['I4'] },
  },
  {
    name: 'unfenced-settle',
    breaks: 'a settle is fenced by status and version',
    in: SENDERS,
    ...{ scenario: 'relay-halted', caughtBy: ['I16'] },
  },
  {
    name: 'no-lease-sweep',
    breaks: 'leases of senders that never came back are ended',
    in: ['relay'],
    ...{ scenario: 'order-service-kill', caughtBy: ['I8'] },
  },
  {
    name: 'app-clock-leases',
    breaks: "leases go by the database's clock",
    in: SENDERS,
    ...{ scenario: 'clock-skew', caughtBy: ['I10'] },
  },
  {
    name: 'batch-charged-for-one',
    breaks: 'a lost lease uses no attempt',
    in: ['relay'],
    ...{ scenario: 'killer-message', caughtBy: ['I11'] },
  },
  {
    name: 'suspects-not-isolated',
    breaks: 'a message whose lease was lost goes alone',
    in: ['relay'],
    ...{ scenario: 'killer-message', caughtBy: ['I11'] },
  },
  {
    name: 'no-confirm',
    breaks: 'SENT only when the broker has confirmed',
    in: SENDERS,
    ...{ scenario: 'half-open', caughtBy: ['I4'] },
  },
  {
    name: 'no-mandatory',
    breaks: 'a message that finds no queue is returned',
    in: SENDERS,
    ...{ scenario: 'unroutable', caughtBy: ['I5'] },
  },
  {
    name: 'transient-messages',
    breaks: 'messages are persistent',
    in: SENDERS,
    ...{ scenario: 'classic-broker-kill', caughtBy: ['I5'] },
  },
  {
    name: 'whole-batch-settled-on-partial-failure',
    breaks: 'every message has an outcome of its own',
    in: SENDERS,
    ...{ scenario: 'unroutable', caughtBy: ['I5'] },
  },
  {
    name: 'outage-burns-attempts',
    breaks: "an outage is not the message's fault: nothing is tried meanwhile, and no attempt used",
    in: SENDERS,
    ...{ scenario: 'broker-outage', caughtBy: ['I11'] },
  },
  {
    name: 'unknown-uses-an-attempt',
    breaks: 'an attempt without an answer is not counted',
    in: SENDERS,
    ...{ scenario: 'one-attempt', caughtBy: ['I11'] },
  },
  {
    name: 'retry-mints-new-message-id',
    breaks: 'a message keeps its id over all attempts',
    in: SENDERS,
    ...{ scenario: 'confirm-lost', caughtBy: ['I4', 'I5'] },
  },
  {
    name: 'loop-dies-on-error',
    breaks: 'a loop survives every error',
    in: SENDERS,
    ...{ scenario: 'order-db-kill', caughtBy: ['I8'] },
  },
  {
    name: 'shutdown-drops-in-flight',
    breaks: 'a process that stops finishes what it holds',
    in: SENDERS,
    ...{ scenario: 'rolling-restart', caughtBy: ['I10'] },
  },
  {
    name: 'ack-before-commit',
    breaks: 'a delivery is acknowledged after COMMIT',
    in: SERVICES,
    ...{ scenario: 'inventory-kill', caughtBy: ['I5', 'I8'] },
  },
  {
    name: 'ack-on-unrecorded-failure',
    breaks: 'what cannot be recorded is not acknowledged',
    in: SERVICES,
    ...{ scenario: 'inventory-db-kill', caughtBy: ['I5', 'I8'] },
  },
  {
    name: 'no-inbox',
    breaks: 'a message takes effect once',
    in: SERVICES,
    ...{ scenario: 'inventory-kill', caughtBy: ['I5'] },
  },
  {
    name: 'in-memory-dedupe',
    breaks: 'what took effect is known after a restart',
    in: SERVICES,
    ...{ scenario: 'inventory-kill', caughtBy: ['I5'] },
  },
  {
    name: 'inbox-check-then-insert',
    breaks: 'one note for one message is a unique key, not a look',
    in: SERVICES,
    ...{ scenario: 'inventory-halted', caughtBy: ['I5'] },
  },
  {
    name: 'inbox-before-transaction',
    breaks: 'note and effect are one transaction: the note comes first',
    in: SERVICES,
    ...{ scenario: 'inventory-crash', caughtBy: ['I5'] },
  },
  {
    name: 'inbox-after-transaction',
    breaks: 'note and effect are one transaction: the note comes last',
    in: SERVICES,
    ...{ scenario: 'inventory-kill', caughtBy: ['I5'] },
  },
  {
    name: 'inbox-pruned-early',
    breaks: 'notes are kept for as long as copies may come',
    in: SERVICES,
    ...{ scenario: 'confirm-lost', caughtBy: ['I5'] },
  },
  {
    name: 'dedupe-by-existence',
    breaks: 'the status of a note decides, not its existence',
    in: SERVICES,
    ...{ scenario: 'late-products', caughtBy: ['I5'] },
  },
  {
    name: 'read-then-write-stock',
    breaks: 'stock is decided under its lock',
    in: ['inventory-service'],
    ...{ scenario: 'hot-product', caughtBy: ['I5', 'I6'] },
  },
  {
    name: 'unfenced-retry',
    breaks: 'a redelivery is fenced by status and version',
    in: SERVICES,
    ...{ scenario: 'redelivery-halted', caughtBy: ['I5', 'I16'] },
  },
  {
    name: 'record-by-upsert',
    breaks: 'a failure never overwrites what a note says',
    in: SERVICES,
    ...{ scenario: 'dead-letters', caughtBy: ['I5', 'I16'] },
  },
  {
    name: 'no-dead-letter-reader',
    breaks: 'what the broker gives up on is read',
    in: SERVICES,
    ...{ scenario: 'dead-letters', caughtBy: ['I5', 'I8'] },
  },
  {
    name: 'republish-without-fence',
    breaks: 'of several copies only that of the present claim is handled',
    in: SERVICES,
    ...{ scenario: 'copies-halted', caughtBy: ['I5'] },
  },
];

export function sabotageNamed(name: string): Sabotage {
  const found = SABOTAGES.find((sabotage) => sabotage.name === name);
  if (found !== undefined) return found;
  throw new Error(`There is no sabotage '${name}'. There are: ${SABOTAGES.map((one) => one.name).join(', ')}`);
}
