import { snowflakeTimeMs } from '../maintenance/snowflake.js';
import type { CheckedCommand } from './command.js';
import { asClaim } from './producer-message.js';
import type { ClaimedMessage } from './sender.js';
import { headersText, type NewRow } from './store/insert.js';

/** A message at the door; `fast`: a place on the fast path is reserved, and it is inserted under a lease. */
export interface NewMessage {
  readonly id: string;
  readonly command: CheckedCommand;
  readonly fast: boolean;
}

interface Holder {
  readonly leaseMs: number;
  readonly claimedBy: string;
}

export function rowOf({ id, command, fast }: NewMessage, { leaseMs, claimedBy }: Holder): NewRow {
  const { delayMs, messageId, taskName, channel, content, maxRetryCount } = command;
  const { exchange, routingKey, channelConfig } = command;
  return {
    ...{ id, messageId, taskName, channel, exchange, routingKey, channelConfig, content, maxRetryCount },
    headers: headersText(command.headers),
    status: fast ? 'SENDING' : 'PENDING',
    actsInMs: fast ? leaseMs : delayMs,
    claimedBy: fast ? claimedBy : null,
  };
}

/** What was inserted under a lease is claimed by whoever inserted it. */
export function claimedOf({ id, command }: NewMessage, leaseEndsMs: number): ClaimedMessage {
  const { messageId, maxRetryCount } = command;
  return {
    claim: asClaim({ id, version: 0, messageId, retryCount: 0, maxRetryCount, leaseEndsMs }),
    channel: command.channel,
    outgoing: { ...command, id, version: 0, createdMs: snowflakeTimeMs(id) },
  };
}
