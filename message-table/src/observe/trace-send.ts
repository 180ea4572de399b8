import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';

import type { Channel, Outgoing } from '../channels/channel.js';
import { failureOf, type Outcome } from '../channels/outcome.js';
import { oneLine, reasonOf } from '../errors.js';
import { destinationName, endSpan, startSpan } from './message-span.js';
import { contextFrom, tracer } from './tracer.js';

export interface Sending {
  /** Attempts that ended refused, before this one. */
  readonly claim: { readonly retryCount: number };
  readonly channel: string;
  readonly outgoing: Outgoing;
}

/** One attempt, in the trace that is stored with the message. What is sent is the same with and without. */
export async function traceSend(
  { claim, channel: system, outgoing }: Sending,
  channel: Channel | undefined,
  send: () => Promise<Outcome>,
): Promise<Outcome> {
  const on = tracer();
  if (on === null) return send();
  const parent = contextFrom(outgoing.headers) ?? ROOT_CONTEXT;
  const { routingKey, messageId, taskName } = outgoing;
  const facts = {
    ...{ system, routingKey, messageId, destination: destinationOf(outgoing, channel) },
    own: { task_name: taskName, attempt: claim.retryCount + 1 },
  };
  const span = startSpan(on, 'send', facts, parent);
  try {
    const outcome = await context.with(trace.setSpan(parent, span), send);
    if (outcome.kind === 'confirmed') endSpan(span, outcome.kind);
    else endSpan(span, failureOf(outcome), oneLine(outcome.reason));
    return outcome;
  } catch (error) {
    endSpan(span, 'error', reasonOf(error));
    throw error;
  }
}

function destinationOf(outgoing: Outgoing, channel: Channel | undefined): string {
  const name = destinationName(outgoing.exchange, outgoing.routingKey);
  if (name !== '') return name;
  try {
    return channel?.destinationOf(outgoing) ?? '';
  } catch {
    return 'unreadable';
  }
}
