import type { Outgoing } from '../channel.js';
import { isHeaderValue, type HttpConfig } from './config.js';

/** Value of a header by its name in any case. */
function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/**
 * The same for every attempt at a message, except `x-attempt`.
 *
 * Of the message's own headers only the trace goes along: the others are the service's, not the receiver's.
 */
export function requestHeaders(
  message: Outgoing,
  config: HttpConfig,
  authorization: string | null,
): Record<string, string> {
  const traceparent = headerOf(message.headers, 'traceparent');
  return {
    ...config.headers,
    ...(traceparent !== undefined && isHeaderValue(traceparent) ? { traceparent } : {}),
    ...(authorization === null ? {} : { authorization }),
    // Ours come last: nothing can take their place.
    'content-type': 'application/json',
    'idempotency-key': message.messageId,
    'x-attempt': `${message.id}:${String(message.version)}`,
    'x-created': String(message.createdMs),
  };
}
