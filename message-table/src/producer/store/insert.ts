import { asNumber, changeRows, type Runner } from '../../database/rows.js';
import { HOUSE_COUNT } from '../producer-message.js';

export interface NewRow {
  readonly id: string;
  readonly messageId: string;
  readonly taskName: string;
  readonly channel: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly channelConfig: string | null;
  readonly content: string;
  readonly headers: string | null;
  readonly status: 'PENDING' | 'SENDING';
  readonly maxRetryCount: number;
  /** PENDING: when it is due; SENDING: how long the lease lasts. From now on the database's clock. */
  readonly actsInMs: number;
  readonly claimedBy: string | null;
}

/** As the column holds them. */
export const headersText = (headers: Readonly<Record<string, string>>): string | null =>
  Object.keys(headers).length === 0 ? null : JSON.stringify(headers);

const INSERT_HEAD = `
  INSERT INTO producer_message
    (id, message_id, task_name, channel, exchange, routing_key, channel_config, content, headers,
     status, max_retry_count, claimed_by, house_number, next_retry_time, create_time, update_time)
  VALUES `;

const INSERT_ROW = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
     CRC32(?) MOD ${String(HOUSE_COUNT)}, UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`;

/** Whose settings the session has. */
export type Session = 'ours' | 'foreign';

/**
 * On any session: whatever its time zone is, times are UTC.
 *
 * @param session `foreign`: its character set need not hold every character, nor its sql_mode treat a backslash as the
 *   driver does, so texts travel as hexadecimal, twice as long
 * @throws the driver's error; a `message_id` that exists already shows as a duplicate of the key `one_message`
 */
export async function insertRows(trx: Runner, rows: readonly NewRow[], session: Session = 'ours'): Promise<void> {
  const bindings = rows.flatMap((row) => [
    asNumber(row.id),
    row.messageId,
    row.taskName,
    row.channel,
    row.exchange,
    row.routingKey,
    row.channelConfig,
    row.content,
    row.headers,
    row.status,
    row.maxRetryCount,
    row.claimedBy,
    row.messageId,
    row.actsInMs * 1000,
  ]);
  const sent = session === 'ours' ? bindings : bindings.map(inHexadecimal);
  await changeRows(trx, INSERT_HEAD + rows.map(() => INSERT_ROW).join(', '), sent);
}

const inHexadecimal = (value: unknown): unknown => (typeof value === 'string' ? Buffer.from(value) : value);
