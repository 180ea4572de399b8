import type { Outgoing } from '../channel.js';
import { isHeaderValue, type HttpTarget } from './config.js';

/** Of a message's own headers those of the trace go along; https://www.w3.org/TR/trace-context/. */
export const isTrace = (name: string): boolean => /^trace(?:parent|state)$/i.test(name);

/**
 * The same for every attempt at a message, except `x-attempt`.
 *
 * Of the message's own headers only the trace goes along: the others are the service's, not the receiver's.
 */
export function requestHeaders(
  message: Outgoing,
  config: HttpTarget,
  authorization: string | null,
): Record<string, string> {
  const trace = Object.entries(message.headers).filter(([name, value]) => isTrace(name) && isHeaderValue(value));
  return {
    'content-type': 'application/json',
    ...config.headers,
    ...Object.fromEntries(trace.map(([name, value]) => [name.toLowerCase(), value])),
    ...(authorization === null ? {} : { authorization }),
    // Ours come last: nothing can take their place.
    'idempotency-key': message.messageId,
    'x-attempt': `${message.id}:${String(message.version)}`,
    'x-created': String(message.createdMs),
  };
}
