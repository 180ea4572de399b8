import { SENDERS, SERVICES, type Sabotage } from './sabotage.js';

/** What can be taken from the way of a message into its row, to the broker and to SENT, in that order. */
export const PRODUCING: readonly Sabotage[] = [
  {
    name: 'answers-swapped',
    breaks: 'orders that are placed together are answered each with its own id',
    in: ['order-service'],
    ...{ scenario: 'baseline', caughtBy: ['I1'] },
  },
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
    ...{ scenario: 'queue-full', caughtBy: ['I5'] },
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
    settings: { FAST_PATH: 'off' },
  },
  {
    name: 'shutdown-drops-in-flight',
    breaks: 'a process that stops finishes what it holds',
    in: SENDERS,
    ...{ scenario: 'rolling-restart', caughtBy: ['I10'] },
  },
  {
    name: 'archive-deletes-first',
    breaks: 'a row goes to the archive and out of the live table in one transaction',
    in: SENDERS,
    ...{ scenario: 'archive-under-load', caughtBy: ['I3', 'I14'] },
  },
];
