import { topologyOf, type Topology } from '@counterfoil/message-table';

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

export const topology = (): Topology => topologyOf(DEDUCT, DECIDED);
