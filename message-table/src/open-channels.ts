import type { Channel } from './channels/channel.js';
import { createHttpChannel } from './channels/http/index.js';
import { createRabbitChannel, type RabbitChannel, type Topology } from './channels/rabbitmq/index.js';
import type { MessageTableEvents } from './observe/events.js';
import { rabbitService } from './rabbit-service.js';
import { pick } from './service/common-settings.js';
import type { Service } from './service/lifecycle.js';
import type { Values } from './service/settings.js';

/** What decides which channels a process has, and how they send. */
export const CHANNEL_SETTINGS = pick(
  'AMQP_URL',
  'AMQP_HEARTBEAT_S',
  'AMQP_DEADLINE_MS',
  'HTTP_ALLOW',
  'HTTP_ALLOW_PRIVATE',
  'HTTP_PER_HOST',
  'SECRET_*',
  'BREAKER_WINDOW_MS',
  'BREAKER_PAUSE_MS',
  'ATTEMPT_TIMEOUT_MS',
);

export interface OpenChannelsOptions {
  /** Declared after every connect. */
  readonly topology: Topology;
  /** Where the channels tell what happens. */
  readonly events: MessageTableEvents;
  /** Names the connection on the broker. */
  readonly connectionName: string;
}

export interface OpenChannels {
  /** Null without AMQP_URL. */
  readonly rabbit: RabbitChannel | null;
  readonly channels: readonly Channel[];
  /** To be started before anything is sent. */
  readonly services: readonly Service[];
}

/** The channels that the settings ask for: RabbitMQ by AMQP_URL, HTTP by HTTP_ALLOW. */
export function openChannels(
  s: Values<typeof CHANNEL_SETTINGS>,
  { topology, events, connectionName }: OpenChannelsOptions,
): OpenChannels {
  const attemptTimeoutMs = s.ATTEMPT_TIMEOUT_MS;
  const rabbit =
    s.AMQP_URL === ''
      ? null
      : createRabbitChannel({
          ...{ urls: s.AMQP_URL, deadlineMs: s.AMQP_DEADLINE_MS, heartbeatS: s.AMQP_HEARTBEAT_S },
          ...{ topology, events, attemptTimeoutMs, connectionName },
        });
  const http =
    s.HTTP_ALLOW.length === 0
      ? null
      : createHttpChannel({
          ...{ allow: s.HTTP_ALLOW, allowPrivate: s.HTTP_ALLOW_PRIVATE, secrets: s['SECRET_*'] },
          ...{ attemptTimeoutMs, breakerWindowMs: s.BREAKER_WINDOW_MS, perHost: s.HTTP_PER_HOST },
        });
  return {
    rabbit,
    channels: [rabbit, http].filter((channel) => channel !== null),
    services: rabbit === null ? [] : [rabbitService('publish-connection', rabbit)],
  };
}
