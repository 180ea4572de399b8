import type { Channel, Outgoing } from '../../channel.js';
import { createHttpChannel, type HttpChannelOptions } from '../http-channel.js';

/** Allowed wherever a test's own receivers listen. */
export function channelTo(hostPorts: readonly string[], options: Partial<HttpChannelOptions> = {}): Channel {
  return createHttpChannel({
    allow: hostPorts,
    allowPrivate: hostPorts,
    attemptTimeoutMs: 5_000,
    breakerWindowMs: 60_000,
    secrets: () => undefined,
    ...options,
  });
}

export const hostPort = (url: string): string => new URL(url).host;

export function outgoing(config: unknown, message: Partial<Outgoing> = {}): Outgoing {
  return {
    id: '7001',
    version: 3,
    messageId: 'message-1',
    taskName: 'inventory.deduct',
    exchange: '',
    routingKey: '',
    channelConfig: JSON.stringify(config),
    content: '{ "name" : "Zwölf ✓" }',
    headers: {},
    createdMs: 1_795_000_000_123,
    ...message,
  };
}
