import { SENDERS, SERVICES, type Sabotage } from './sabotage.js';

/** What can be taken from the way of a delivery to its effect, to its note and to another attempt, in that order. */
export const CONSUMING: readonly Sabotage[] = [
  {
    name: 'ack-before-commit',
    breaks: 'a delivery is acknowledged after COMMIT',
    in: SERVICES,
    ...{ scenario: 'inventory-kill', caughtBy: ['I5', 'I8'] },
  },
  {
    name: 'one-decision-queue',
    breaks: 'a decision goes back to the shard that asked',
    in: SENDERS,
    ...{ scenario: 'two-shards', caughtBy: ['I8', 'I11'] },
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
    name: 'poison-charges-its-batch',
    breaks: 'an unreadable body is no fault of those beside it',
    in: ['inventory-service'],
    ...{ scenario: 'poison', caughtBy: ['I5', 'I11'] },
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
