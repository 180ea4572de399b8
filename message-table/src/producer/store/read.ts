import { asNumber, selectRows, type Runner } from '../../database/rows.js';
import { HOUSE_COUNT } from '../producer-message.js';

const CONTENTS = `
  SELECT id, task_name AS taskName, exchange, routing_key AS routingKey, channel,
         channel_config AS channelConfig, content, headers
    FROM producer_message
   WHERE id IN (?)`;

export interface StoredContent {
  readonly id: string;
  readonly taskName: string;
  readonly channel: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly channelConfig: string | null;
  readonly content: string;
  readonly headers: string | null;
}

/** What claimed rows hold, read by primary key outside any transaction. */
export const readContents = (db: Runner, ids: readonly string[]): Promise<StoredContent[]> =>
  selectRows<StoredContent>(db, CONTENTS, [ids.map(asNumber)]);

const STATES = `
  SELECT id, status, version, retry_count AS retryCount
    FROM producer_message
   WHERE id IN (?)`;

export interface StoredState {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly retryCount: number;
}

export const readStates = (db: Runner, ids: readonly string[]): Promise<StoredState[]> =>
  selectRows<StoredState>(db, STATES, [ids.map(asNumber)]);

const BY_MESSAGE_IDS = `
  SELECT id, message_id AS messageId
    FROM producer_message
   WHERE message_id IN (?)`;

export const findByMessageIds = (
  db: Runner,
  messageIds: readonly string[],
): Promise<{ id: string; messageId: string }[]> => selectRows(db, BY_MESSAGE_IDS, [messageIds]);

// Ten dives into for_claim in one round trip, without locks: an idle pass costs one statement instead of ten
// transactions. Not one EXISTS over ten numbers: MariaDB turns that into a join that reads every due row.
const diveInto = (status: string, house: number): string => `
  (SELECT ${String(house)} AS house
     FROM producer_message FORCE INDEX (for_claim)
    WHERE status = '${status}' AND house_number = ${String(house)} AND next_retry_time <= NOW(3)
    LIMIT 1)`;

const ALL_HOUSES: readonly number[] = Array.from({ length: HOUSE_COUNT }, (_, house) => house);

/** Of these house numbers the ones that hold rows whose time has come: due (PENDING) or with a lease that ended (SENDING). */
export async function housesDue(
  db: Runner,
  status: 'PENDING' | 'SENDING',
  houses: readonly number[] = ALL_HOUSES,
): Promise<number[]> {
  const dives = houses.map((house) => diveInto(status, house)).join(' UNION ALL');
  const rows = await selectRows<{ house: number | string }>(db, dives);
  return rows.map(({ house }) => Number(house));
}

const COUNT_PENDING = `
  SELECT COUNT(*) AS count
    FROM (SELECT 1 FROM producer_message FORCE INDEX (for_claim) WHERE status = 'PENDING' LIMIT ?) AS pending`;

/** How many messages wait, counted up to `limit`. */
export async function countPending(db: Runner, limit: number): Promise<number> {
  const [row] = await selectRows<{ count: number | string }>(db, COUNT_PENDING, [limit]);
  return Number(row?.count);
}
