import { createHash } from 'node:crypto';

import type { Delivery } from '../channels/rabbitmq/index.js';
import { isUsableKey } from '../usable-key.js';
import type { Received } from './consumer-message.js';
import { deathOf } from './headers.js';

/** A message without a usable id gets one from its body, so that the same poison is kept once. */
export function toReceived(delivery: Delivery, consumer: string): Received {
  const { messageId, body, exchange, routingKey, headers, queue } = delivery;
  const common = { consumer, receivedBy: queue, exchange, routingKey, headers, body };
  if (messageId !== undefined && isUsableKey(messageId)) return { ...common, messageId };
  const hash = createHash('sha256').update(body).digest('base64url');
  return { ...common, messageId: `sha256:${hash}`, problem: 'The message has no usable messageId' };
}

/** A dead letter as it was before the broker gave it up: its own exchange, routing key and queue. */
export function deadLetterToReceived(delivery: Delivery, consumer: string): Received {
  const received = toReceived(delivery, consumer);
  const death = deathOf(delivery.headers);
  if (death === null) return received;
  return { ...received, exchange: death.exchange, routingKey: death.routingKey, receivedBy: death.queue };
}
