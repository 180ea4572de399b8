import { Gauge, type Registry } from 'prom-client';

import { counter } from './counter.js';
import type { MessageTableEvents } from './events.js';

/** The broker as this process sees it. */
export function measureBroker(events: MessageTableEvents, registry: Registry): void {
  measureConnections(events, registry);
  const waiting = new Gauge({
    name: 'counterfoil_queue_messages',
    help: 'Messages that wait in a queue that this process consumes, without those that a consumer holds',
    labelNames: ['queue', 'kind'],
    registers: [registry],
  });
  events.on('queuesSeen', ({ queues }) => {
    // Where nobody could look: no number is better than an old one.
    for (const { queue, kind, messages } of queues) waiting.set({ queue, kind }, messages ?? NaN);
  });
}

function measureConnections(events: MessageTableEvents, registry: Registry): void {
  const lost = counter(
    registry,
    'broker_connections_lost_total',
    'Connections to the broker that ended or could not be opened',
    {},
  );
  const missing = new Gauge({
    name: 'counterfoil_broker_connections_missing',
    help: 'Connections to the broker that this process wants and does not have, whether it publishes or consumes',
    registers: [registry],
  });
  const consumers = counter(registry, 'consumers_lost_total', 'Subscriptions that ended unasked', {});
  const names = new Set<string>();
  events.on('brokerLost', ({ connection }) => {
    lost.inc();
    missing.set(names.add(connection).size);
  });
  events.on('brokerConnected', ({ connection }) => {
    names.delete(connection);
    missing.set(names.size);
  });
  events.on('consumerLost', () => {
    consumers.inc();
  });
}
