import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  trace,
  type Context,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';

import { readTrace, writeTrace, type Trace } from './trace-context.js';

const NAME = '@counterfoil/message-table';

/** What the API hands out stands for a provider that may have been set, or not. */
type Standing = TracerProvider & { readonly getDelegateTracer?: (name: string) => Tracer | undefined };

/** Null while nobody collects spans: then nothing is done for a message, not even a call of a tracer that does nothing. */
export function tracer(): Tracer | null {
  const provider: Standing = trace.getTracerProvider();
  if (provider.getDelegateTracer === undefined) return provider.getTracer(NAME);
  return provider.getDelegateTracer(NAME) ?? null;
}

/** The trace of the running code, for the `trace` of a command; undefined where there is none, or nobody collects. */
export function currentTrace(): Trace | undefined {
  const here = tracer() === null ? undefined : trace.getSpanContext(context.active());
  return here !== undefined && isSpanContextValid(here) ? writeTrace(here) : undefined;
}

/** What goes on from these headers; null where they name no trace. */
export function contextFrom(headers: object | null | undefined): Context | null {
  const from = readTrace(headers ?? {});
  return from === null ? null : trace.setSpanContext(ROOT_CONTEXT, from);
}

/** For work that is gathered from several callers: it belongs to the trace of none of them. */
export const outsideTraces = <T>(work: () => T): T => context.with(ROOT_CONTEXT, work);
