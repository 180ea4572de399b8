import type { ConsumeMessage } from 'amqplib';

/** One message as it came from a queue. */
export interface Delivery {
  readonly messageId: string | undefined;
  readonly body: Buffer;
  readonly exchange: string;
  readonly routingKey: string;
  readonly queue: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly type: string | undefined;
  readonly contentType: string | undefined;
  /** Header `x-created`: when the message was accepted, milliseconds since 1970. */
  readonly createdMs: number | undefined;
  /** Header `x-delivery-count`: how often it was returned to its quorum queue; 0 when it never was. */
  readonly deliveryCount: number;
  readonly redelivered: boolean;
  /** Whether the channel that brought it is still open; when not, the broker delivers it again. */
  readonly alive: () => boolean;
}

export function toDelivery(queue: string, message: ConsumeMessage, alive: () => boolean): Delivery {
  const { fields, properties, content } = message;
  const headers: Record<string, unknown> = properties.headers ?? {};
  const created = headers['x-created'];
  const count = headers['x-delivery-count'];
  return {
    messageId: text(properties.messageId),
    body: content,
    exchange: fields.exchange,
    routingKey: fields.routingKey,
    queue,
    headers,
    type: text(properties.type),
    contentType: text(properties.contentType),
    createdMs: typeof created === 'number' ? created : undefined,
    deliveryCount: typeof count === 'number' ? count : 0,
    redelivered: fields.redelivered,
    alive,
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
