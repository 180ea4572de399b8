import { topologyOf, type QueueRoute, type Topology } from '@counterfoil/message-table';

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

/** The way of decisions to one shard: a decision that came to another one would find no order there. */
export const decidedRoute = (shard: string): QueueRoute => ({
  exchange: DECIDED.exchange,
  routingKey: `${DECIDED.routingKey}.${shard}`,
  queue: `${DECIDED.queue}.${shard}`,
  deadQueue: `${DECIDED.deadQueue}.${shard}`,
});

/** @param shard of the processes that work on one of several order databases; null for all others */
export const topology = (shard: string | null = null): Topology =>
  topologyOf(DEDUCT, DECIDED, ...(shard === null ? [] : [decidedRoute(shard)]));
