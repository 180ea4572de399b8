import { createHash } from 'node:crypto';

import type { StoredConfig } from '../channels/channel.js';
import type { Channels } from '../channels/channel-map.js';

/** What may stand in a message's way: its channel as a whole, or its destination within it. */
export interface Route {
  readonly channel: string;
  /** `rabbitmq inventory.exchange inventory.deduct`: unique over all channels, and fit for its columns. */
  readonly destination: string;
}

/** `parked_for` and the target of a pause hold this much. */
const MAX_LENGTH = 255;

/** The route of a stored message. Never throws: one row that cannot be read must not fail the claim of all. */
export function routeOf(channels: Channels, channel: string, stored: StoredConfig): Route {
  return { channel, destination: fitting(`${channel} ${nameOf(channels, channel, stored)}`.trim()) };
}

function nameOf(channels: Channels, channel: string, stored: StoredConfig): string {
  try {
    return channels.get(channel)?.destinationOf(stored) ?? '';
  } catch {
    return 'unreadable';
  }
}

function fitting(name: string): string {
  if (name.length <= MAX_LENGTH && /^[\x20-\x7e]*$/.test(name)) return name;
  const digest = createHash('sha256').update(name).digest('base64url');
  return `${name.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_LENGTH - digest.length - 1)}~${digest}`;
}
