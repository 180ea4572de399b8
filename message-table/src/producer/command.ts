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
  const content = typeof command.content === 'string' ? command.content : JSON.stringify(command.content);
  const checked = { messageId, taskName, channel, exchange, routingKey, content, headers, maxRetryCount, delayMs };
  for (const [field, rule, holds] of RULES) {
    if (!holds(checked)) throw new MessageTableError('COMMAND_INVALID', `${field} must be ${rule}`);
  }
  checkSize(checked, limits.maxContentBytes);
  return checked;
}

const isUsableOrEmpty = (key: string): boolean => key === '' || isUsableKey(key, 100);

const RULES: readonly (readonly [field: string, rule: string, holds: (command: CheckedCommand) => boolean])[] = [
  [
    'messageId',
    '1 to 64 printable ASCII characters without blanks at the ends',
    ({ messageId }) => isUsableKey(messageId),
  ],
  ['taskName', '1 to 128 printable ASCII characters', ({ taskName }) => isUsableKey(taskName, 128)],
  ['exchange', 'at most 100 printable ASCII characters', ({ exchange }) => isUsableOrEmpty(exchange)],
  ['routingKey', 'at most 100 printable ASCII characters', ({ routingKey }) => isUsableOrEmpty(routingKey)],
  [
    'maxRetryCount',
    'a whole number from 1',
    ({ maxRetryCount }) => Number.isInteger(maxRetryCount) && maxRetryCount >= 1,
  ],
  ['delayMs', 'a number of milliseconds from 0', ({ delayMs }) => Number.isFinite(delayMs) && delayMs >= 0],
  [
    'headers',
    `at most ${String(MAX_HEADERS_BYTES)} bytes as JSON`,
    ({ headers }) => headerBytes(headers) <= MAX_HEADERS_BYTES,
  ],
];

const headerBytes = (headers: Readonly<Record<string, string>>): number => Buffer.byteLength(JSON.stringify(headers));

function checkSize({ content, taskName }: CheckedCommand, maxContentBytes: number): void {
  const bytes = Buffer.byteLength(content);
  if (bytes <= maxContentBytes) return;
  const sizes = `${String(bytes)} bytes, the limit is ${String(maxContentBytes)} (MAX_CONTENT_BYTES)`;
  throw new MessageTableError('CONTENT_TOO_LARGE', `The content of ${taskName} has ${sizes}`);
}
