import { selectRows, type Runner } from '../../database/rows.js';

/** A message that was accepted before, as far as it is needed to tell whether it is the same. */
export interface StoredCommand {
  readonly id: string;
  readonly messageId: string;
  readonly taskName: string;
  readonly channel: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly channelConfig: string | null;
  readonly headers: string | null;
  /** SHA-256 in hex: contents may be large, and many. */
  readonly contentHash: string;
}

const BY_MESSAGE_IDS = `
  SELECT id, message_id AS messageId, task_name AS taskName, channel, exchange, routing_key AS routingKey,
         channel_config AS channelConfig, headers, SHA2(content, 256) AS contentHash
    FROM producer_message FORCE INDEX (one_message)
   WHERE message_id IN (?)`;

export const findAccepted = (runner: Runner, messageIds: readonly string[]): Promise<StoredCommand[]> =>
  selectRows<StoredCommand>(runner, BY_MESSAGE_IDS, [messageIds]);

/** What is there now, also for a transaction whose snapshot is older. */
export const findAcceptedLocked = (runner: Runner, messageIds: readonly string[]): Promise<StoredCommand[]> =>
  selectRows<StoredCommand>(runner, `${BY_MESSAGE_IDS} LOCK IN SHARE MODE`, [messageIds]);
