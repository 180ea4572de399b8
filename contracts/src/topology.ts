import type { Topology } from '@counterfoil/message-table';

/** How a message gets to its consumer, and where it goes when it is given up. */
export interface Route {
  readonly exchange: string;
  readonly routingKey: string;
  readonly queue: string;
  readonly deadQueue: string;
}

/** Where a deduction and a decision go. Every process that publishes or consumes declares all of it. */
export const DEDUCT = {
  exchange: 'inventory.exchange',
  routingKey: 'inventory.deduct',
  queue: 'inventory.deduct',
  deadQueue: 'inventory.dead',
} as const;
export const DECIDED = {
  exchange: 'order.exchange',
  routingKey: 'order.deduction-decided',
  queue: 'order.deduction-decided',
  deadQueue: 'order.dead',
} as const;

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

/** The way of decisions to one shard: a decision that came to another one would find no order there. */
export const decidedRoute = (shard: string): Route => ({
  exchange: DECIDED.exchange,
  routingKey: `${DECIDED.routingKey}.${shard}`,
  queue: `${DECIDED.queue}.${shard}`,
  deadQueue: `${DECIDED.deadQueue}.${shard}`,
});

/** @param shard of the processes that work on one of several order databases; null for all others */
export function topology(shard: string | null = null): Topology {
  const routes: Route[] = [DEDUCT, DECIDED, ...(shard === null ? [] : [decidedRoute(shard)])];
  return {
    exchanges: [DEDUCT, DECIDED].map(({ exchange }) => ({ name: exchange, type: 'direct' })),
    queues: routes.flatMap(({ queue, deadQueue }) => [
      { name: deadQueue, durable: true, arguments: DEAD_QUEUE_ARGUMENTS },
      { name: queue, durable: true, arguments: queueArguments(deadQueue) },
    ]),
    bindings: routes.map(({ queue, exchange, routingKey }) => ({ queue, exchange, routingKey })),
  };
}
