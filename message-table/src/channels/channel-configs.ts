import type { HttpConfig } from './http/config.js';
import type { RabbitConfig } from './rabbitmq/config.js';

/**
 * What each channel wants to know to send a message. A service that registers a channel of its own adds it here:
 * `declare module '@counterfoil/message-table' { interface ChannelConfigs { log: { file: string } } }`.
 */
export interface ChannelConfigs {
  rabbitmq: RabbitConfig;
  http: HttpConfig;
}

export type ChannelName = keyof ChannelConfigs;
