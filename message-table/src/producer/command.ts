import { v7 as uuidv7 } from 'uuid';

import { MessageTableError } from '../errors.js';

/** What a service asks the component to send. */
export interface TaskCommand {
  /** The business message id and the idempotency key downstream; a UUID v7 when left out. 1–64 printable ASCII characters. */
  readonly messageId?: string;
  /** What this is, for people: 'inventory.deduct'. */
  readonly taskName: string;
  readonly channel: 'rabbitmq';
  readonly exchange: string;
  readonly routingKey: string;
  /** JSON text, sent byte for byte; anything else is turned into JSON once, here. */
  readonly content: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Attempts in all, the first included. */
  readonly maxRetryCount?: number;
  /** Not before this many ms from the insert, on the database's clock. */
  readonly delayMs?: number;
}

export interface CommandLimits {
  readonly maxContentBytes: number;
  readonly maxRetryCount: number;
}

/** A command whose every field is known to fit its column and its channel. */
export interface CheckedCommand {
  readonly messageId: string;
  readonly taskName: string;
  readonly channel: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxRetryCount: number;
  readonly delayMs: number;
}

// One AMQP frame holds all headers; RabbitMQ's frames are 128 KiB, the client's table buffer 64 KiB.
const MAX_HEADERS_BYTES = 48 * 1024;

/** Keys are compared byte by byte on every server; a blank at an end would be equal to none on some. */
export const isUsableKey = (key: string, maxLength = 64): boolean =>
  key.length <= maxLength && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key);

/** @throws MessageTableError `COMMAND_INVALID` or `CONTENT_TOO_LARGE`, before anything is written */
export function checkCommand(command: TaskCommand, limits: CommandLimits): CheckedCommand {
  const { messageId = uuidv7(), taskName, channel, exchange, routingKey, headers = {}, delayMs = 0 } = command;
  const { maxRetryCount = limits.maxRetryCount } = command;
  check(isUsableKey(messageId), 'messageId', '1 to 64 printable ASCII characters without blanks at the ends');
  check(isUsableKey(taskName, 128), 'taskName', '1 to 128 printable ASCII characters');
  check(exchange === '' || isUsableKey(exchange, 100), 'exchange', 'at most 100 printable ASCII characters');
  check(routingKey === '' || isUsableKey(routingKey, 100), 'routingKey', 'at most 100 printable ASCII characters');
  check(Number.isInteger(maxRetryCount) && maxRetryCount >= 1, 'maxRetryCount', 'a whole number from 1');
  check(Number.isFinite(delayMs) && delayMs >= 0, 'delayMs', 'a number of milliseconds from 0');
  check(Buffer.byteLength(JSON.stringify(headers)) <= MAX_HEADERS_BYTES, 'headers', `at most ${String(MAX_HEADERS_BYTES)} bytes as JSON`);
  const content = typeof command.content === 'string' ? command.content : JSON.stringify(command.content);
  const contentBytes = Buffer.byteLength(content);
  if (contentBytes > limits.maxContentBytes) {
    const sizes = `${String(contentBytes)} bytes, the limit is ${String(limits.maxContentBytes)} (MAX_CONTENT_BYTES)`;
    throw new MessageTableError('CONTENT_TOO_LARGE', `The content of ${taskName} has ${sizes}`);
  }
  return { messageId, taskName, channel, exchange, routingKey, content, headers, maxRetryCount, delayMs };
}

function check(holds: boolean, field: string, rule: string): void {
  if (!holds) throw new MessageTableError('COMMAND_INVALID', `${field} must be ${rule}`);
}
