import { ROOT_CONTEXT, type Span, type Tracer } from '@opentelemetry/api';

import type { Received, RetryClaim } from '../consumer/consumer-message.js';
import type { Ended } from '../consumer/ending.js';
import { reasonOf } from '../errors.js';
import { destinationName, endSpan, startSpan } from './message-span.js';
import { writeTrace, type Trace } from './trace-context.js';
import { contextFrom, tracer } from './tracer.js';

type Endings = ReadonlyMap<string, Ended>;

/**
 * The first attempt of messages that are handled together: a span for each, in the trace that its headers name.
 *
 * @param handle gets them with `trace`, for what their effects accept
 */
export async function traceTogether<Ends extends Endings>(
  messages: readonly Received[],
  handle: (messages: readonly Received[]) => Promise<Ends>,
): Promise<Ends> {
  const on = tracer();
  if (on === null) return handle(messages);
  const spans = messages.map((message) => startProcess(on, message, 1));
  try {
    const endings = await handle(messages.map((message, index) => ({ ...message, trace: traceOf(spans[index]) })));
    messages.forEach(({ messageId }, index) => end(spans[index], endings.get(messageId)));
    return endings;
  } catch (error) {
    for (const span of spans) endSpan(span, 'error', reasonOf(error));
    throw error;
  }
}

/** What a later attempt says about itself. */
export interface Attempt {
  /** For what the effect accepts. */
  readonly trace: Trace | undefined;
  /** It used the attempt; `to` is what the note says then. */
  readonly failed: (to: string, reason: string) => void;
}

const UNTRACED: Attempt = { trace: undefined, failed: () => undefined };

/** An attempt of a message that is owed its effect, in the trace of the first. */
export async function traceRedelivery<Result extends string>(
  claim: RetryClaim,
  handle: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const on = tracer();
  if (on === null) return handle(UNTRACED);
  const span = startProcess(on, claim.received, claim.retryCount + 1);
  try {
    const failures: { readonly to: string; readonly reason: string }[] = [];
    const result = await handle({ trace: traceOf(span), failed: (to, reason) => failures.push({ to, reason }) });
    endSpan(span, failures[0]?.to ?? result, failures[0]?.reason);
    return result;
  } catch (error) {
    endSpan(span, 'error', reasonOf(error));
    throw error;
  }
}

function startProcess(on: Tracer, { headers, messageId, consumer, ...way }: Received, attempt: number): Span {
  const { exchange, routingKey, receivedBy } = way;
  const isQueued = exchange !== '' || routingKey !== '';
  // `http /deductions`
  const [system = '', path = receivedBy] = isQueued ? ['rabbitmq'] : receivedBy.split(' ');
  const destination = isQueued ? destinationName(exchange, routingKey, receivedBy) : path;
  const facts = { system, destination, routingKey, messageId, own: { consumer, attempt } };
  return startSpan(on, 'process', facts, contextFrom(headers) ?? ROOT_CONTEXT);
}

const traceOf = (span: Span | undefined): Trace | undefined =>
  span === undefined ? undefined : writeTrace(span.spanContext());

function end(span: Span | undefined, ended: Ended | undefined): void {
  if (span === undefined) return;
  const { ending, known, reason } = ended ?? { ending: 'unstorable', known: false };
  endSpan(span, known ? 'duplicate' : ending, reason);
}
