import { SpanKind, SpanStatusCode, type Context, type Span, type Tracer } from '@opentelemetry/api';

/** By the conventions for messaging; https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/. */

const KINDS = { create: SpanKind.PRODUCER, send: SpanKind.CLIENT, process: SpanKind.CONSUMER };

export interface MessageSpanFacts {
  readonly system: string;
  readonly destination: string;
  readonly routingKey: string;
  readonly messageId: string;
  /** What this project calls it: task, consumer, attempt. */
  readonly own: Readonly<Record<string, string | number>>;
}

export function startSpan(on: Tracer, does: keyof typeof KINDS, facts: MessageSpanFacts, parent: Context): Span {
  const { system, destination, routingKey, messageId, own } = facts;
  const attributes = {
    'messaging.system': system,
    'messaging.operation.type': does,
    'messaging.operation.name': does,
    'messaging.destination.name': destination,
    'messaging.message.id': messageId,
    ...(routingKey === '' ? {} : { 'messaging.rabbitmq.destination.routing_key': routingKey }),
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [`counterfoil.${name}`, value])),
  };
  return on.startSpan(`${does} ${destination}`, { kind: KINDS[does], attributes }, parent);
}

/** @param failure why it did not end well; one line, no secrets */
export function endSpan(span: Span, outcome: string, failure?: string): void {
  span.setAttribute('counterfoil.outcome', outcome);
  if (failure !== undefined) {
    span.setAttribute('error.type', outcome);
    span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  }
  span.end();
}

/** Exchange, routing key and queue, as the conventions for RabbitMQ join them: without what is empty, and nothing twice. */
export const destinationName = (...parts: readonly string[]): string =>
  [...new Set(parts.filter((part) => part !== ''))].join(':');
