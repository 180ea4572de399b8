import {
  RabbitConnection,
  subscribe,
  type Delivery,
  type Subscription,
  type Topology,
} from './channels/rabbitmq/index.js';
import type { Effect } from './consumer/effect.js';
import { Inbox } from './consumer/inbox.js';
import { QueueConsumer } from './consumer/queue-consumer.js';
import { createRedeliveryTask } from './consumer/redelivery-task.js';
import type { Database } from './database/database.js';
import { createConsumerSweep } from './maintenance/lease-sweep.js';
import type { RetryPolicy } from './producer/store/retry-policy.js';
import { rabbitService } from './rabbit-service.js';
import type { Service } from './service/lifecycle.js';
import type { Loop } from './service/loop.js';

export interface QueueConsumingOptions {
  readonly db: Database;
  readonly amqpUrls: string;
  readonly topology: Topology;
  readonly processName: string;
  readonly queue: string;
  readonly deadQueue: string;
  readonly effect: Effect;
  readonly retry: RetryPolicy;
  readonly batch: number;
  readonly prefetch: number;
  readonly retryingLeaseMs: number;
  readonly redeliveryPollMs: number;
  readonly deadlineMs: number;
  readonly heartbeatS: number;
}

/** The consuming half of the component for one queue. */
export interface QueueConsuming {
  readonly inbox: Inbox;
  readonly services: readonly Service[];
  readonly loops: readonly Loop[];
  isConsuming(): boolean;
}

const BATCH_BYTES = 2 * 1024 * 1024;
const LINGER_MS = 8;

/**
 * Everything that consuming a queue takes: the consumer, the reader of its dead letters, the redelivery task for
 * what failed, and the sweep for redeliveries that never ended. On a connection that publishes nothing.
 */
export function createQueueConsuming(options: QueueConsumingOptions): QueueConsuming {
  const { db, effect, retry, retryingLeaseMs } = options;
  const { events } = db;
  const inbox = new Inbox(db, effect, retry);
  const connection = new RabbitConnection({
    ...options,
    urls: options.amqpUrls,
    events,
    connectionName: `${options.processName} consume`,
  });
  const subscribeTo =
    (queue: string, prefetch: number) =>
    (onDelivery: (delivery: Delivery) => void): Subscription =>
      subscribe({ connection, queue, prefetch, events, consumer: effect.name, onDelivery, onLost: () => undefined });
  const common = { consumer: effect.name, events, batchBytes: BATCH_BYTES };
  const consumer = new QueueConsumer({
    ...common,
    batch: options.batch,
    lingerMs: LINGER_MS,
    handle: (messages) => inbox.handle(messages),
    subscribe: subscribeTo(options.queue, options.prefetch),
  });
  const deadLetterReader = new QueueConsumer({
    ...common,
    batch: 1,
    lingerMs: 0,
    handle: (messages) => inbox.recordDeadLetters(messages),
    subscribe: subscribeTo(options.deadQueue, 10),
  });
  const loops = [
    createConsumerSweep(db, retryingLeaseMs),
    createRedeliveryTask({ db, effects: [effect], retry, leaseMs: retryingLeaseMs, pollMs: options.redeliveryPollMs }),
  ];
  return {
    inbox,
    loops,
    services: [...loops, rabbitService('consume-connection', connection), consumer, deadLetterReader],
    isConsuming: () => consumer.isConsuming(),
  };
}
