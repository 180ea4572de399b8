import { asNumber, selectRows } from '../../database/rows.js';
import { ARCHIVE_BATCH, type ArchiveSource, type Candidate } from '../../maintenance/archive-batch.js';

/**
 * SUCCESS notes leave the inbox for the archive when they have kept duplicates out for the retention; a message that
 * comes later than that is refused for its age. FAILED ones stay until a person has decided.
 */

const OLDEST = `
  SELECT 0 AS part
    FROM (SELECT first_consume_time
            FROM consumer_message FORCE INDEX (for_retry)
           WHERE status = 'SUCCESS' AND next_retry_time IS NULL
           ORDER BY id
           LIMIT 1) AS oldest
   WHERE first_consume_time <= NOW(3) - INTERVAL ? MICROSECOND`;

// Ids rise with first_consume_time (but for the length of a transaction), so the first note that came too lately ends
// the walk: without that, each pass would read a week of notes.
const PAGE = `
  SELECT id, last_consume_time <= NOW(3) - INTERVAL ? MICROSECOND AS isOld, LENGTH(content) AS bytes,
         first_consume_time <= NOW(3) - INTERVAL ? MICROSECOND AS isInReach
    FROM consumer_message FORCE INDEX (for_retry)
   WHERE status = 'SUCCESS' AND next_retry_time IS NULL AND id > ?
   ORDER BY id
   LIMIT ${String(ARCHIVE_BATCH)}`;

const LOCK = `
  SELECT id, version
    FROM consumer_message FORCE INDEX (PRIMARY)
   WHERE id IN (?) AND status = 'SUCCESS' AND last_consume_time <= NOW(3) - INTERVAL ? MICROSECOND
   ORDER BY id
     FOR UPDATE SKIP LOCKED`;

const COLUMNS = `id, message_id, consumer, received_by, exchange, routing_key, headers, content, content_encoding,
         status, retry_count, max_retry_count, lost_count, next_retry_time, error_msg, first_consume_time,
         last_consume_time, success_time, version`;

const COPY = `
  INSERT INTO consumer_message_archive (${COLUMNS}, archive_time)
  SELECT ${COLUMNS}, NOW(3)
    FROM consumer_message FORCE INDEX (PRIMARY)
   WHERE id IN (?) AND status = 'SUCCESS' AND (id, version) IN (?)`;

// Naming the table twice makes it the form that takes an index hint.
const REMOVE = `
  DELETE consumer_message FROM consumer_message FORCE INDEX (PRIMARY)
   WHERE id IN (?) AND status = 'SUCCESS' AND (id, version) IN (?)`;

export const CONSUMED_NOTES: ArchiveSource = {
  table: 'consumer_message',
  ranges: async (runner, retentionMs) =>
    (await selectRows<{ part: number | string }>(runner, OLDEST, [retentionMs * 1000])).map(({ part }) => Number(part)),
  page: async (runner, retentionMs, _range, afterId) => {
    const age = retentionMs * 1000;
    const rows = await selectRows<Candidate & { isInReach: number | string }>(runner, PAGE, [
      age,
      age,
      asNumber(afterId),
    ]);
    const end = rows.findIndex(({ isInReach }) => Number(isInReach) !== 1);
    return end === -1 ? rows : rows.slice(0, end);
  },
  sql: { lock: LOCK, copy: COPY, remove: REMOVE },
};
