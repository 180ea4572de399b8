import type { IncomingHttpHeaders } from 'node:http';

import type { Received } from './consumer-message.js';

export interface HttpMessage {
  /** The usable value of `Idempotency-Key`: the message id. */
  readonly messageId: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpDoor {
  /** The name of the effect. */
  readonly consumer: string;
  /** The path it came in through: `/deductions`. */
  readonly path: string;
}

/** What they say is about the message. The others are about the connection, or secrets, which no table is to hold. */
const KEPT = ['content-type', 'traceparent', 'tracestate', 'x-attempt', 'x-created'];

/** A message that came by HTTP; under the name of its effect it is the same one that may come through a queue. */
export function httpToReceived({ messageId, headers, body }: HttpMessage, { consumer, path }: HttpDoor): Received {
  const kept = KEPT.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, name === 'x-created' ? asNumber(value) : value] as const];
  });
  const route = { receivedBy: `http ${path}`, exchange: '', routingKey: '' };
  return { messageId, consumer, ...route, headers: Object.fromEntries(kept), body };
}

/** As a queue carries it. What is no number stays what it is, and says nothing. */
const asNumber = (value: string | string[]): number | string | string[] =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
