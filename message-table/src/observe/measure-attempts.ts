import { Histogram, type Registry } from 'prom-client';

import { counter, SECONDS, TABLES } from './counter.js';
import type { MessageTableEvents } from './events.js';

/** A message that has failed so often is counted, once: one that works at the second or third go is no news. */
const OFTEN = 3;

/** How long attempts take, and how many messages need many. */
export function measureAttempts(events: MessageTableEvents, registry: Registry): void {
  const seconds = new Histogram({
    name: 'counterfoil_send_seconds',
    help: 'One attempt to send a message, until its channel answered or gave up',
    labelNames: ['channel'],
    buckets: [...SECONDS, 10, 30],
    registers: [registry],
  });
  const often = counter(registry, 'messages_retried_often_total', 'Messages whose retry_count reached 3', {
    table: TABLES,
  });
  events.on('attemptConfirmed', ({ channel, tookMs }) => {
    seconds.observe({ channel }, tookMs / 1000);
  });
  events.on('attemptFailed', ({ channel, kind, attempt, tookMs }) => {
    if (tookMs !== null) seconds.observe({ channel }, tookMs / 1000);
    // No other ending uses an attempt.
    if (kind === 'refused' && attempt === OFTEN) often.inc({ table: 'producer_message' });
  });
  events.on('consumeFailed', ({ attempt }) => {
    if (attempt === OFTEN) often.inc({ table: 'consumer_message' });
  });
}
