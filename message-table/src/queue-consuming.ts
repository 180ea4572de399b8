import type { Channel } from './channels/channel.js';
import {
  lookAtQueue,
  RabbitConnection,
  subscribe,
  type Delivery,
  type Subscription,
  type Topology,
} from './channels/rabbitmq/index.js';
import type { Effect } from './consumer/effect.js';
import { Inbox } from './consumer/inbox.js';
import { PacketLimit } from './consumer/packet-limit.js';
import { QueueConsumer } from './consumer/queue-consumer.js';
import { queueDepth } from './consumer/queue-depth.js';
import { createQueueWatch } from './consumer/queue-watch.js';
import { deadLetterToReceived, toReceived } from './consumer/received.js';
import { createRedeliveryTask } from './consumer/redelivery-task.js';
import { Republisher } from './consumer/republisher.js';
import type { Database } from './database/database.js';
import { DEFAULT_OPTIONS } from './default-options.js';
import { createConsumerArchive } from './maintenance/archive-task.js';
import { createConsumerSweep } from './maintenance/lease-sweep.js';
import type { RetryPolicy } from './producer/store/retry-policy.js';
import { rabbitService } from './rabbit-service.js';
import type { Service } from './service/lifecycle.js';
import type { Loop } from './service/loop.js';
import { assertUsableKey } from './usable-key.js';

export interface QueueConsumingOptions {
  /** The pool of the database that keeps the notes and has the business tables. */
  readonly db: Database;
  /** The broker, `amqp://…`; several with commas are tried in turn. */
  readonly amqpUrls: string;
  /** Declared after every connect; has both queues. */
  readonly topology: Topology;
  /** Names the connection on the broker. */
  readonly processName: string;
  /** The queue that is consumed. At most 128 printable ASCII characters, as of the next. */
  readonly queue: string;
  /** Where the broker puts what it gives up delivering; read, and kept as notes that are tried again. */
  readonly deadQueue: string;
  /** What a message does. */
  readonly effect: Effect;
  /** How long a failed message waits before its effect is tried again. */
  readonly retry?: RetryPolicy;
  /** Messages in one transaction at most. More: fewer commits, longer locks, more to repeat when one of them spoils it. */
  readonly batch?: number;
  /** Delivered and not acknowledged at most, not less than `batch`. More: other replicas find less. */
  readonly prefetch?: number;
  /** How long a redelivery may take before another process may try. Shorter than the effect takes: it is tried twice. */
  readonly retryingLeaseMs?: number;
  /** Rest of an idle redelivery task. Shorter finds what is due sooner, and costs a query each time. */
  readonly redeliveryPollMs?: number;
  /** For connecting and for every answer of the broker. Shorter: a slow broker is left for nothing. */
  readonly deadlineMs?: number;
  /** Shorter finds a dead broker sooner, and costs packets. */
  readonly heartbeatS?: number;
  /** How long notes are kept: an older message does not take effect any more. Longer: a larger table. */
  readonly retentionMs?: number;
  /** How long notes are kept in the archive after that; absent: they stay in the inbox, and the table grows. */
  readonly archiveDays?: number;
  /** The channel through which owed messages go to their queue again, behind all others. Null: handled in place. */
  readonly republishBy?: Channel | null;
}

/** The consuming half of the component for one queue. */
export interface QueueConsuming {
  readonly inbox: Inbox;
  readonly services: readonly Service[];
  /** For the health check; all of them are among {@link services}. */
  readonly loops: readonly Loop[];
  isConsuming(): boolean;
}

const LINGER_MS = 8;
/** A message's age is counted from the producer's clock, a note's on ours: notes stay long enough for the two to differ. */
const NOTES_OUTLIVE_MESSAGES = 1.1;
/** Held unacked by the dead-letter reader; what it cannot keep takes one of these. */
const DEAD_LETTER_PREFETCH = 10;

/**
 * Everything that consuming a queue takes: the consumer, the reader of its dead letters, the redelivery task for
 * what failed, and the sweep for redeliveries that never ended. On a connection that publishes nothing.
 */
export function createQueueConsuming(given: QueueConsumingOptions): QueueConsuming {
  const options = { ...DEFAULT_OPTIONS.queueConsuming, ...given };
  const { db, effect, retry, retentionMs, processName, amqpUrls: urls } = options;
  const { events } = db;
  for (const queue of [options.queue, options.deadQueue]) assertUsableKey(`A queue's name`, queue, 128);
  const packetLimit = new PacketLimit(db);
  const inbox = new Inbox(db, effect, { retry, retentionMs, packetLimit });
  const connection = new RabbitConnection({ ...options, urls, events, connectionName: `${processName} consume` });
  const subscribeTo =
    (queue: string, prefetch: number, fullPaceAlways = false) =>
    (onDelivery: (delivery: Delivery) => void): Subscription =>
      subscribe({
        ...{ connection, queue, prefetch, fullPaceAlways, events, consumer: effect.name },
        onDelivery,
        onLost: () => undefined,
      });
  const common = { consumer: effect.name, events, batchBytes: inbox.batchBytes };
  const consumer = new QueueConsumer({
    ...{ ...common, toReceived, batch: options.batch, lingerMs: LINGER_MS },
    handle: (messages) => inbox.handle(messages),
    unstorable: 'dead-letter',
    subscribe: subscribeTo(options.queue, options.prefetch),
  });
  const deadLetterReader = new QueueConsumer({
    ...{ ...common, toReceived: deadLetterToReceived, batch: 1, lingerMs: 0 },
    handle: (messages) => inbox.recordDeadLetters(messages),
    unstorable: 'hold',
    // One that cannot be kept must not stand in front of those that can.
    subscribe: subscribeTo(options.deadQueue, DEAD_LETTER_PREFETCH, true),
  });
  const look = (queue: string): Promise<number> => lookAtQueue(connection, queue);
  // Like the others stopped after the connection: nothing of theirs waits for the broker then.
  const watch = createQueueWatch({ events, queue: options.queue, deadQueue: options.deadQueue, look });
  const loops = [...redeliveryLoops(options, connection), ...archiveLoops(options), watch];
  return {
    inbox,
    loops: [...loops, consumer, deadLetterReader],
    services: [...loops, rabbitService('consume-connection', connection), consumer, deadLetterReader],
    isConsuming: () => consumer.isConsuming(),
  };
}

type Complete = QueueConsumingOptions & Required<Omit<QueueConsumingOptions, 'archiveDays'>>;

const archiveLoops = ({ db, retentionMs, archiveDays }: Complete): Loop[] =>
  archiveDays === undefined
    ? []
    : createConsumerArchive(db, { retentionMs: Math.ceil(retentionMs * NOTES_OUTLIVE_MESSAGES), archiveDays });

function redeliveryLoops(options: Complete, connection: RabbitConnection): Loop[] {
  const { db, effect, retry, queue, prefetch, retryingLeaseMs: leaseMs, redeliveryPollMs: pollMs } = options;
  const { republishBy: channel } = options;
  const depth = (): Promise<number> => queueDepth(connection, queue);
  const republisher =
    channel === null ? null : new Republisher({ queue, channel, depth, events: db.events, leaseMs, prefetch });
  return [
    createConsumerSweep(db, leaseMs),
    createRedeliveryTask({ db, effects: [effect], retry, leaseMs, pollMs, republisher }),
  ];
}
