import { asNumber, selectRows, type Runner } from '../../database/rows.js';
import { HOUSE_COUNT } from '../producer-message.js';

/** What waits in the outbox, for gauges. Nothing here locks, and nothing reads further than `limit` rows. */
export interface OutboxLook {
  /** Messages that are not sent yet, counted up to the limit. */
  readonly waiting: number;
  /** Since the oldest of them was accepted, ms; beyond the limit, the oldest of those that were looked at. */
  readonly oldestMs: number;
  /** How long the turn of the most overdue one has been over, ms; a message that is put off is not overdue. */
  readonly overdueMs: number;
  /** Messages that wait for a person, counted up to the limit. */
  readonly failed: number;
}

const WAITING = `
  SELECT COUNT(*) AS count, MIN(id) AS oldestId
    FROM (SELECT id FROM producer_message FORCE INDEX (for_claim) WHERE status IN ('PENDING', 'SENDING') LIMIT ?) AS waiting`;

const AGE = `
  SELECT TIMESTAMPDIFF(MICROSECOND, create_time, NOW(3)) / 1000 AS ageMs
    FROM producer_message
   WHERE id = ?`;

// Dives into for_claim: the first row of each house is the most overdue one of it.
const diveInto = (status: string, house: number): string => `
  (SELECT TIMESTAMPDIFF(MICROSECOND, next_retry_time, NOW(3)) / 1000 AS overdueMs
     FROM producer_message FORCE INDEX (for_claim)
    WHERE status = '${status}' AND house_number = ${String(house)} AND next_retry_time <= NOW(3)
    ORDER BY next_retry_time
    LIMIT 1)`;

const OVERDUE = ['PENDING', 'SENDING']
  .flatMap((status) => Array.from({ length: HOUSE_COUNT }, (_, house) => diveInto(status, house)))
  .join(' UNION ALL');

const FAILED = `
  SELECT COUNT(*) AS count
    FROM (SELECT 1 FROM producer_message FORCE INDEX (for_claim) WHERE status = 'FAILED' LIMIT ?) AS failed`;

type Numeric = number | string;

export async function lookAtOutbox(db: Runner, limit: number): Promise<OutboxLook> {
  const [waiting] = await selectRows<{ count: Numeric; oldestId: string | null }>(db, WAITING, [limit]);
  const overdue = await selectRows<{ overdueMs: Numeric }>(db, OVERDUE);
  const [failed] = await selectRows<{ count: Numeric }>(db, FAILED, [limit]);
  return {
    waiting: Number(waiting?.count),
    oldestMs: await ageOf(db, waiting?.oldestId ?? null),
    overdueMs: Math.max(0, ...overdue.map(({ overdueMs }) => Number(overdueMs))),
    failed: Number(failed?.count),
  };
}

async function ageOf(db: Runner, id: string | null): Promise<number> {
  if (id === null) return 0;
  const [row] = await selectRows<{ ageMs: Numeric }>(db, AGE, [asNumber(id)]);
  return Math.max(0, Number(row?.ageMs ?? 0));
}
