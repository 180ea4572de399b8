import { MessageTableError } from '../../errors.js';
import { isUsableKey } from '../../usable-key.js';
import type { StoredConfig } from '../channel.js';

/** Where RabbitMQ routes a message from. */
export interface RabbitConfig {
  /** At most 100 printable ASCII characters; '' is the default exchange. */
  readonly exchange: string;
  /** Likewise; with the default exchange the name of the queue. */
  readonly routingKey: string;
}

/** @throws MessageTableError `CHANNEL_CONFIG_INVALID` */
export function checkRabbitConfig(config: unknown): StoredConfig {
  const { exchange, routingKey, ...others } = isObject(config) ? config : {};
  if (!isUsableOrEmpty(exchange) || !isUsableOrEmpty(routingKey) || Object.keys(others).length > 0) {
    throw new MessageTableError(
      'CHANNEL_CONFIG_INVALID',
      'config of rabbitmq must be { exchange, routingKey }, each at most 100 printable ASCII characters',
    );
  }
  return { exchange, routingKey, channelConfig: null };
}

export const rabbitDestination = ({ exchange, routingKey }: StoredConfig): string => `${exchange} ${routingKey}`;

const isObject = (config: unknown): config is Readonly<Record<string, unknown>> =>
  typeof config === 'object' && config !== null;

const isUsableOrEmpty = (key: unknown): key is string => key === '' || isUsableKey(key, 100);
