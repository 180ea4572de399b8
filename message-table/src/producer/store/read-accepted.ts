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

// On any session: an id may be more than its driver's numbers hold, and its character set less than the texts.
const BY_MESSAGE_IDS = `
  SELECT CAST(id AS CHAR) AS id, message_id AS messageId, task_name AS taskName, channel, exchange,
         routing_key AS routingKey, CAST(channel_config AS BINARY) AS channelConfig, CAST(headers AS BINARY) AS headers,
         SHA2(content, 256) AS contentHash
    FROM producer_message FORCE INDEX (one_message)
   WHERE message_id IN `;

export const findAccepted = (runner: Runner, messageIds: readonly string[]): Promise<StoredCommand[]> =>
  find(runner, messageIds);

/** What is there now, also for a transaction whose snapshot is older. */
export const findAcceptedLocked = (runner: Runner, messageIds: readonly string[]): Promise<StoredCommand[]> =>
  find(runner, messageIds, ' LOCK IN SHARE MODE');

async function find(runner: Runner, messageIds: readonly string[], lock = ''): Promise<StoredCommand[]> {
  // In hexadecimal: not every session takes a backslash as the driver does.
  const ids = messageIds.map((messageId) => Buffer.from(messageId));
  const sql = `${BY_MESSAGE_IDS}(${ids.map(() => '_ascii ?').join(', ')})${lock}`;
  const rows = await selectRows<InBytes>(runner, sql, ids);
  return rows.map((row) => ({ ...row, channelConfig: textOf(row.channelConfig), headers: textOf(row.headers) }));
}

type InBytes = Omit<StoredCommand, 'channelConfig' | 'headers'> & Record<'channelConfig' | 'headers', Buffer | null>;

const textOf = (bytes: Buffer | null): string | null => bytes?.toString() ?? null;
