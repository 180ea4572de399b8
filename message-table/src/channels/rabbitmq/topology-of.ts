import type { Topology } from './topology.js';

/** One way of messages over RabbitMQ: from an exchange by a key into a queue, and what nobody can take into another. */
export interface QueueRoute {
  /** Direct and durable. */
  readonly exchange: string;
  readonly routingKey: string;
  readonly queue: string;
  /** Where the broker puts what it gives up delivering. */
  readonly deadQueue: string;
}

/** Part of the contract: another value is an inequivalent argument for the next process. */
const queueArguments = (deadQueue: string): Record<string, string | number> => ({
  'x-queue-type': 'quorum',
  'x-delivery-limit': 20,
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': deadQueue,
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
});

/** What cannot be written down stays here, however often it is returned; RabbitMQ 4 would drop it after 20 returns. */
const DEAD_QUEUE_ARGUMENTS = { 'x-queue-type': 'quorum', 'x-delivery-limit': 1_000_000 };

/** Quorum queues that lose nothing: a full one refuses, a dead letter stays until its queue has it. */
export const topologyOf = (...routes: readonly QueueRoute[]): Topology => ({
  exchanges: [...new Set(routes.map(({ exchange }) => exchange))].map((name) => ({ name, type: 'direct' })),
  queues: routes.flatMap(({ queue, deadQueue }) => [
    { name: deadQueue, durable: true, arguments: DEAD_QUEUE_ARGUMENTS },
    { name: queue, durable: true, arguments: queueArguments(deadQueue) },
  ]),
  bindings: routes.map(({ queue, exchange, routingKey }) => ({ queue, exchange, routingKey })),
});
