import { v7 as uuidv7 } from 'uuid';

import type { StoredConfig } from '../channels/channel.js';
import type { ChannelConfigs, ChannelName } from '../channels/channel-configs.js';
import type { Channels } from '../channels/channel-map.js';
import { MessageTableError } from '../errors.js';
import type { Trace } from '../observe/trace-context.js';
import { isUsableKey } from '../usable-key.js';
import { checkStored } from './check-stored.js';
import { routeOf, type Route } from './route.js';

export interface TaskFields {
  /** The business message id and the idempotency key downstream; a UUID v7 when left out. 1–64 printable ASCII characters. */
  readonly messageId?: string;
  /** What this is, for people: 'inventory.deduct'. */
  readonly taskName: string;
  /** JSON text, sent byte for byte; anything else is turned into JSON once, here. */
  readonly content: unknown;
  /** Sent as headers of the message; at most 65,535 bytes as JSON. Never a secret: they stand readable in the table. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The trace that it belongs to: of {@link currentTrace}, or of what an effect acts on. That of the running code unless
   * given. Nothing while nobody collects traces.
   */
  readonly trace?: Trace | undefined;
  /** Attempts in all, the first included; 1 to 2^31 − 1. */
  readonly maxRetryCount?: number;
  /** Not before this many ms from the insert, on the database's clock; at most ten years. */
  readonly delayMs?: number;
}

/** A command for one channel. */
export type TaskCommandFor<Name extends ChannelName> = TaskFields & {
  readonly channel: Name;
  readonly config: Readonly<ChannelConfigs[Name]>;
};

/** What a service asks the component to send: the channel's name decides what `config` is. */
export type TaskCommand = { [Name in ChannelName]: TaskCommandFor<Name> }[ChannelName];

export interface CommandLimits {
  readonly channels: Channels;
  readonly maxContentBytes: number;
  readonly maxRetryCount: number;
  /** What one statement may carry on this server; no bound unless given. */
  readonly statementBytes?: number;
}

/** A command whose every field is known to fit its column and its channel. */
export interface CheckedCommand extends StoredConfig, Route {
  readonly messageId: string;
  readonly taskName: string;
  readonly content: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxRetryCount: number;
  readonly delayMs: number;
}

/**
 * @throws MessageTableError before anything is written: `COMMAND_INVALID`, `CONTENT_TOO_LARGE`, `CHANNEL_UNKNOWN`,
 *   `HEADERS_INVALID`, and what the channel's `checkConfig` throws
 */
export function checkCommand(command: TaskCommand, limits: CommandLimits): CheckedCommand {
  const { messageId = uuidv7(), taskName, channel, headers = {}, delayMs = 0 } = command;
  const { maxRetryCount = limits.maxRetryCount } = command;
  const content = textOf(command.content);
  const common = { messageId, taskName, content, headers, maxRetryCount, delayMs };
  for (const [field, rule, holds] of RULES) {
    if (!holds(common)) throw new MessageTableError('COMMAND_INVALID', `${field} must be ${rule}`);
  }
  checkSize(common, limits);
  checkHeaders(headers);
  const stored = storedConfig(command, limits.channels, common.headers);
  return { ...common, ...stored, ...routeOf(limits.channels, channel, stored) };
}

/** @throws MessageTableError for what stops JSON while it is written: a BigInt, a circle, a `toJSON` that throws */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  try {
    return JSON.stringify(content);
  } catch (cause) {
    throw new MessageTableError('COMMAND_INVALID', `content must be ${JSON_RULE}`, { cause });
  }
}

function storedConfig(
  { channel: name, config }: TaskCommand,
  channels: Channels,
  headers: CheckedCommand['headers'],
): StoredConfig {
  const channel = channels.get(name);
  if (channel === undefined) {
    const known = [...channels.keys()].join(', ');
    throw new MessageTableError('CHANNEL_UNKNOWN', `This process has no channel '${name}'; it has: ${known}`);
  }
  return checkStored(name, channel.checkConfig(config, { headers }));
}

type Common = Omit<CheckedCommand, keyof StoredConfig | keyof Route>;

const JSON_RULE = 'something that JSON can say';
/** What the column holds. */
const MOST_ATTEMPTS = 2 ** 31 - 1;
/** Ten years: far below where the database's dates end, so that none becomes NULL. */
const LONGEST_DELAY_MS = 10 * 365 * 86_400_000;

const RULES: readonly (readonly [field: string, rule: string, holds: (command: Common) => boolean])[] = [
  [
    'messageId',
    '1 to 64 printable ASCII characters without blanks at the ends',
    ({ messageId }) => isUsableKey(messageId),
  ],
  ['taskName', '1 to 128 printable ASCII characters', ({ taskName }) => isUsableKey(taskName, 128)],
  ['content', JSON_RULE, ({ content }) => typeof content === 'string'],
  [
    'maxRetryCount',
    `a whole number from 1 to ${String(MOST_ATTEMPTS)}`,
    ({ maxRetryCount }) => Number.isInteger(maxRetryCount) && maxRetryCount >= 1 && maxRetryCount <= MOST_ATTEMPTS,
  ],
  [
    'delayMs',
    `a number of milliseconds from 0 to ${String(LONGEST_DELAY_MS)}`,
    ({ delayMs }) => Number.isFinite(delayMs) && delayMs >= 0 && delayMs <= LONGEST_DELAY_MS,
  ],
];

function checkSize({ content, taskName }: Common, { maxContentBytes, statementBytes = Infinity }: CommandLimits): void {
  const bytes = Buffer.byteLength(content);
  if (bytes <= Math.min(maxContentBytes, statementBytes)) return;
  const limit =
    statementBytes < maxContentBytes
      ? `${String(statementBytes)} (a quarter of the server's max_allowed_packet, or the column's)`
      : `${String(maxContentBytes)} (MAX_CONTENT_BYTES)`;
  const sizes = `${String(bytes)} bytes, the limit is ${limit}`;
  throw new MessageTableError('CONTENT_TOO_LARGE', `The content of ${taskName} has ${sizes}`);
}

/** What the column holds. */
const MAX_HEADERS_BYTES = 65_535;

function checkHeaders(headers: unknown): void {
  const isMap = typeof headers === 'object' && headers !== null && !Array.isArray(headers);
  if (isMap && Object.values(headers).every((value) => typeof value === 'string')) {
    // Whoever puts it into a plain object, as amqplib does at the other end, loses it without a word.
    if (Object.hasOwn(headers, '__proto__'))
      throw new MessageTableError('HEADERS_INVALID', 'headers must not have __proto__: receivers would not see it');
    if (Buffer.byteLength(JSON.stringify(headers)) <= MAX_HEADERS_BYTES) return;
  }
  const rule = `texts by name, at most ${String(MAX_HEADERS_BYTES)} bytes as JSON`;
  throw new MessageTableError('HEADERS_INVALID', `headers must be ${rule}`);
}
