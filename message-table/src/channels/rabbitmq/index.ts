export { createRabbitChannel, type RabbitChannel, type RabbitChannelOptions } from './publisher.js';
export { RabbitConnection, type RabbitConnectionOptions } from './connection.js';
export { lookAtQueue } from './look-at-queue.js';
export { subscribe, type Subscription, type SubscribeOptions } from './subscription.js';
export type { Delivery } from './delivery.js';
export { TopologyError, type Topology } from './topology.js';
export { topologyOf, type QueueRoute } from './topology-of.js';
export { parseBrokerUrls, redact, type BrokerAddress } from './url.js';
