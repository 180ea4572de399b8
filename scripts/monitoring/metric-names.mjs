import { createRequire } from 'node:module';
import { join } from 'node:path';

const LOOK = { waiting: 0, waitingIn: [0], oldestMs: 0, overdueMs: 0, failed: 0 };

/** The names that the services' /metrics has, from what makes the page: with those of histograms written out. */
export async function metricNames(root) {
  const require = createRequire(join(root, 'message-table', 'package.json'));
  const { collectDefaultMetrics, Registry } = require('prom-client');
  const { createEvents, createOperations, measureEvents } = require(join(root, 'message-table', 'dist', 'index.js'));
  const registry = new Registry();
  const events = createEvents();
  collectDefaultMetrics({ register: registry });
  measureEvents(events, registry);
  createOperations({ loops: [], readiness: [], registry });
  events.emit('tablesSeen', { outbox: LOOK, inbox: { redeliveries: 0, failed: 0 }, oldestTransactionMs: 0 });
  const all = await registry.getMetricsAsJSON();
  return new Set(
    all.flatMap(({ name, type }) => (type === 'histogram' ? [`${name}_bucket`, `${name}_count`, name] : name)),
  );
}

/** The names of ours and of Node's that a query uses. */
export const namesIn = (query) => [...query.matchAll(/\b(?:counterfoil|process|nodejs)_\w+/g)].map(([name]) => name);
