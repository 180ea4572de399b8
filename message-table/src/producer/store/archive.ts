import { asNumber, selectRows } from '../../database/rows.js';
import { ARCHIVE_BATCH, type ArchiveSource, type Candidate } from '../../maintenance/archive-batch.js';
import { SNOWFLAKE_EPOCH_MS } from '../../maintenance/snowflake.js';
import { HOUSE_COUNT } from '../producer-message.js';

/**
 * SENT rows leave the live table for the archive when nothing has happened to them for the retention. FAILED ones
 * stay until a person has decided.
 */

// A row is never older than its id, and for_claim ends with the id: this is where the walk of a house ends without
// looking at a single row that is too young. In SQL, so that only the database's clock counts. Not `<<`, which is
// unsigned: a retention that reaches behind the epoch must find nothing.
const FIRST_YOUNG_ID = `
  (CAST(UNIX_TIMESTAMP(NOW(3) - INTERVAL ? MICROSECOND) * 1000 AS SIGNED) - ${String(SNOWFLAKE_EPOCH_MS)}) * 4194304`;

const diveInto = (house: number): string => `
  (SELECT ${String(house)} AS house
     FROM producer_message FORCE INDEX (for_claim)
    WHERE status = 'SENT' AND house_number = ${String(house)} AND next_retry_time IS NULL AND id < ${FIRST_YOUNG_ID}
    LIMIT 1)`;

const HOUSES = Array.from({ length: HOUSE_COUNT }, (_, house) => diveInto(house)).join(' UNION ALL');

// No LIMIT on old rows but on rows: after an outage a million may have been sent a minute ago, and a look for old ones
// among them must not become one long statement.
const PAGE = `
  SELECT id, update_time <= NOW(3) - INTERVAL ? MICROSECOND AS isOld, LENGTH(content) AS bytes
    FROM producer_message FORCE INDEX (for_claim)
   WHERE status = 'SENT' AND house_number = ? AND next_retry_time IS NULL AND id > ? AND id < ${FIRST_YOUNG_ID}
   ORDER BY id
   LIMIT ${String(ARCHIVE_BATCH)}`;

const LOCK = `
  SELECT id, version
    FROM producer_message FORCE INDEX (PRIMARY)
   WHERE id IN (?) AND status = 'SENT' AND update_time <= NOW(3) - INTERVAL ? MICROSECOND
   ORDER BY id
     FOR UPDATE SKIP LOCKED`;

const COLUMNS = `id, message_id, task_name, channel, exchange, routing_key, channel_config, content, headers, status,
         house_number, retry_count, max_retry_count, lost_count, next_retry_time, claimed_by, parked_for, error_msg,
         create_time, update_time, sent_time, version`;

const COPY = `
  INSERT INTO producer_message_archive (${COLUMNS}, archive_time)
  SELECT ${COLUMNS}, NOW(3)
    FROM producer_message FORCE INDEX (PRIMARY)
   WHERE id IN (?) AND status = 'SENT' AND (id, version) IN (?)`;

// Naming the table twice makes it the form that takes an index hint.
const REMOVE = `
  DELETE producer_message FROM producer_message FORCE INDEX (PRIMARY)
   WHERE id IN (?) AND status = 'SENT' AND (id, version) IN (?)`;

export const SENT_MESSAGES: ArchiveSource = {
  table: 'producer_message',
  ranges: async (runner, retentionMs) => {
    const bindings = Array.from({ length: HOUSE_COUNT }, () => retentionMs * 1000);
    const rows = await selectRows<{ house: number | string }>(runner, HOUSES, bindings);
    return rows.map(({ house }) => Number(house));
  },
  page: (runner, retentionMs, house, afterId) =>
    selectRows<Candidate>(runner, PAGE, [retentionMs * 1000, house, asNumber(afterId), retentionMs * 1000]),
  sql: { lock: LOCK, copy: COPY, remove: REMOVE },
};
