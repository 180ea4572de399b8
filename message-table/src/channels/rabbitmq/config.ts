import { MessageTableError } from '../../errors.js';
import { isUsableKey } from '../../usable-key.js';
import type { MessageAtDoor, StoredConfig } from '../channel.js';

/** Where RabbitMQ routes a message from. */
export interface RabbitConfig {
  /** At most 100 printable ASCII characters; '' is the default exchange. */
  readonly exchange: string;
  /** Likewise; with the default exchange the name of the queue. */
  readonly routingKey: string;
}

/** @throws MessageTableError `CHANNEL_CONFIG_INVALID`, `HEADERS_INVALID` */
export function checkRabbitConfig(config: unknown, { headers }: MessageAtDoor): StoredConfig {
  const { exchange, routingKey, ...others } = isObject(config) ? config : {};
  if (!isUsableOrEmpty(exchange) || !isUsableOrEmpty(routingKey) || Object.keys(others).length > 0) {
    throw new MessageTableError(
      'CHANNEL_CONFIG_INVALID',
      'config of rabbitmq must be { exchange, routingKey }, each at most 100 printable ASCII characters',
    );
  }
  checkHeaders(headers);
  return { exchange, routingKey, channelConfig: null };
}

// One AMQP frame holds all headers; RabbitMQ's frames are 128 KiB, the client's table buffer 64 KiB.
const MAX_HEADERS_BYTES = 48 * 1024;

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  const names = Object.keys(headers);
  if (!names.every((name) => isUsableKey(name, 128)))
    throw invalid('have names of 1 to 128 printable ASCII characters');
  // To the broker these are lists of further routing keys: a text ends the channel, with everything in flight on it.
  if (names.some((name) => /^B?CC$/.test(name))) throw invalid('not have CC or BCC');
  const bytes = Buffer.byteLength(JSON.stringify(headers));
  if (bytes > MAX_HEADERS_BYTES) throw invalid(`be at most ${String(MAX_HEADERS_BYTES)} bytes as JSON`);
}

const invalid = (rule: string): MessageTableError =>
  new MessageTableError('HEADERS_INVALID', `The headers of a message for rabbitmq must ${rule}`);

/** `orders created`: the first blank divides, so one in an exchange's name is written `%20`, and a per cent sign `%25`. */
export const rabbitDestination = ({ exchange, routingKey }: Pick<StoredConfig, 'exchange' | 'routingKey'>): string =>
  `${withoutBlanks(exchange)} ${routingKey}`;

const withoutBlanks = (name: string): string => name.replace(/[ %]/g, (sign) => (sign === ' ' ? '%20' : '%25'));

const isObject = (config: unknown): config is Readonly<Record<string, unknown>> =>
  typeof config === 'object' && config !== null;

const isUsableOrEmpty = (key: unknown): key is string => key === '' || isUsableKey(key, 100);
