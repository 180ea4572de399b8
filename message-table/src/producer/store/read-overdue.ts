import { selectRows, type Runner } from '../../database/rows.js';
import { SNOWFLAKE_EPOCH_MS } from '../../maintenance/snowflake.js';
import { HOUSE_COUNT } from '../producer-message.js';

/** A message that waits although it has been tried, or has been put off, for too long. */
export interface Overdue {
  readonly messageId: string;
  readonly taskName: string;
  readonly channel: string;
  readonly ageMs: number;
  /** The last failure, or what it was put off for. */
  readonly reason: string;
}

// Names are for people: a few are enough, and the walk of a house ends after so many rows however many wait.
const NAMED = 5;
const LOOKED_AT = 2_000;

const OF_HOUSE = `
  SELECT m.message_id AS messageId, m.task_name AS taskName, m.channel,
         TIMESTAMPDIFF(MICROSECOND, m.create_time, NOW(3)) DIV 1000 AS ageMs,
         COALESCE(m.error_msg, CONCAT('put off for ', m.parked_for)) AS reason
    FROM (SELECT id FROM producer_message FORCE INDEX (for_claim)
           WHERE status = 'PENDING' AND house_number = ?
           LIMIT ${String(LOOKED_AT)}) AS waiting
    JOIN producer_message AS m FORCE INDEX (PRIMARY) ON m.id = waiting.id
   WHERE waiting.id < (CAST(UNIX_TIMESTAMP(NOW(3) - INTERVAL ? MICROSECOND) * 1000 AS SIGNED) - ${String(SNOWFLAKE_EPOCH_MS)}) * 4194304
     AND m.status = 'PENDING' AND (m.error_msg IS NOT NULL OR m.parked_for IS NOT NULL)
   LIMIT ${String(NAMED)}`;

/** At most {@link NAMED} of each house, of those that were accepted more than `maxAgeMs` ago. */
export async function readOverdue(db: Runner, maxAgeMs: number): Promise<Overdue[]> {
  const overdue: Overdue[] = [];
  for (let house = 0; house < HOUSE_COUNT; house += 1) {
    const rows = await selectRows<Omit<Overdue, 'ageMs'> & { ageMs: string | number }>(db, OF_HOUSE, [
      house,
      maxAgeMs * 1000,
    ]);
    overdue.push(...rows.map((row) => ({ ...row, ageMs: Number(row.ageMs) })));
  }
  return overdue;
}
