import { context, isSpanContextValid, type Span, type Tracer } from '@opentelemetry/api';

import { reasonOf } from '../errors.js';
import type { CheckedCommand, TaskCommand } from '../producer/command.js';
import { destinationName, endSpan, startSpan } from './message-span.js';
import { readTrace, withoutTrace, writeTrace, type Trace } from './trace-context.js';
import { contextFrom, tracer } from './tracer.js';

type Check = (command: TaskCommand) => CheckedCommand;

/**
 * Makes each message the beginning of what will happen to it: its `traceparent` is stored with it, so that whoever sends
 * it, however much later and in whatever process, goes on with the same trace. One that the caller put into its headers
 * stays as it is.
 *
 * @param check throws what is wrong about a command; when it is, nothing has been traced
 */
export async function traceAccepts<Answer>(
  commands: readonly TaskCommand[],
  check: Check,
  insert: (commands: readonly CheckedCommand[]) => Promise<Answer>,
): Promise<Answer> {
  const checked = commands.map(check);
  const on = tracer();
  if (on === null) return insert(checked);
  const spans = checked.map((command, index) => startCreate(on, command, commands[index]?.trace));
  const end = (outcome: string, failure?: string): void => {
    for (const span of spans) if (span !== null) endSpan(span, outcome, failure);
  };
  try {
    const answer = await insert(
      checked.map((command, index) => carrying(commands[index] as TaskCommand, command, spans[index] ?? null, check)),
    );
    end('accepted');
    return answer;
  } catch (error) {
    end('error', reasonOf(error));
    throw error;
  }
}

function startCreate(on: Tracer, command: CheckedCommand, given: Trace | undefined): Span | null {
  if (readTrace(command.headers) !== null) return null;
  const { channel, exchange, routingKey, destination, messageId, taskName } = command;
  const facts = {
    ...{ system: channel, routingKey, messageId, own: { task_name: taskName } },
    destination: destinationName(exchange, routingKey) || destination.slice(channel.length + 1),
  };
  return startSpan(on, 'create', facts, contextFrom(given) ?? context.active());
}

/** A trace is no reason to refuse a message: where the column or the channel do not take it, it goes without. */
function carrying(asked: TaskCommand, command: CheckedCommand, span: Span | null, check: Check): CheckedCommand {
  const created = span?.spanContext();
  if (created === undefined || !isSpanContextValid(created)) return command;
  const { messageId, content } = command;
  const headers = { ...withoutTrace(command.headers), ...writeTrace(created) };
  try {
    return check({ ...asked, messageId, content, headers });
  } catch {
    return command;
  }
}
