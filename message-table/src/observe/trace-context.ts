import { createTraceState, isSpanContextValid, type SpanContext } from '@opentelemetry/api';

import { isTrace } from '../channels/http/request-headers.js';

/** Where in which trace something stands, as headers carry it; https://www.w3.org/TR/trace-context/. */
export interface Trace {
  readonly traceparent: string;
  readonly tracestate?: string;
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Null where there is none. One that cannot be read is as none: it comes from outside, and is never an error. */
export function readTrace(headers: object): SpanContext | null {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    TRACEPARENT.exec(textOf(headers, 'traceparent') ?? '') ?? [];
  if (version === '00' && more !== undefined) return null;
  const state = textOf(headers, 'tracestate');
  const read: SpanContext = {
    ...{ traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true },
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  };
  return isSpanContextValid(read) ? read : null;
}

export function writeTrace({ traceId, spanId, traceFlags, traceState }: SpanContext): Trace {
  const tracestate = traceState?.serialize() ?? '';
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    ...(tracestate === '' ? {} : { tracestate }),
  };
}

export const withoutTrace = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isTrace(name)));

function textOf(headers: object, wanted: keyof Trace): string | undefined {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted) as
    [string, unknown] | undefined;
  return typeof found?.[1] === 'string' ? found[1] : undefined;
}
