import { asNumber, byId, selectRows, type Runner } from '../../database/rows.js';
import { HOUSE_COUNT } from '../producer-message.js';

/** What waits in the outbox, for gauges. Nothing here locks, and nothing reads further than `limit` rows. */
export interface OutboxLook {
  /** Messages that are not sent yet, counted up to the limit. */
  readonly waiting: number;
  /** The same by house number, each counted up to a tenth of the limit. */
  readonly waitingIn: readonly number[];
  /** Since the oldest of them was accepted, ms; beyond the limit, the oldest of those that were looked at. */
  readonly oldestMs: number;
  /** How long the turn of the most overdue one has been over, ms; a message that is put off is not overdue. */
  readonly overdueMs: number;
  /** Messages that wait for a person, counted up to the limit. */
  readonly failed: number;
}

const waitingIn = (house: number): string => `
  (SELECT ${String(house)} AS house, COUNT(*) AS count, MIN(id) AS oldestId
     FROM (SELECT id FROM producer_message FORCE INDEX (for_claim)
            WHERE status IN ('PENDING', 'SENDING') AND house_number = ${String(house)} LIMIT ?) AS waiting)`;

const HOUSES = Array.from({ length: HOUSE_COUNT }, (_, house) => house);
const WAITING = HOUSES.map(waitingIn).join(' UNION ALL');

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
  .flatMap((status) => HOUSES.map((house) => diveInto(status, house)))
  .join(' UNION ALL');

const FAILED = `
  SELECT COUNT(*) AS count
    FROM (SELECT 1 FROM producer_message FORCE INDEX (for_claim) WHERE status = 'FAILED' LIMIT ?) AS failed`;

type Numeric = number | string;

interface Waiting {
  readonly house: Numeric;
  readonly count: Numeric;
  readonly oldestId: string | null;
}

const ascending = (a: string, b: string): number => byId({ id: a }, { id: b });

export async function lookAtOutbox(db: Runner, limit: number): Promise<OutboxLook> {
  const inOneHouse = Math.ceil(limit / HOUSE_COUNT);
  const waiting = await selectRows<Waiting>(
    db,
    WAITING,
    HOUSES.map(() => inOneHouse),
  );
  const counts = new Map(waiting.map(({ house, count }) => [Number(house), Number(count)]));
  const waitingIn = HOUSES.map((house) => counts.get(house) ?? 0);
  const overdue = await selectRows<{ overdueMs: Numeric }>(db, OVERDUE);
  const [failed] = await selectRows<{ count: Numeric }>(db, FAILED, [limit]);
  return {
    waiting: Math.min(
      limit,
      waitingIn.reduce((sum, count) => sum + count, 0),
    ),
    waitingIn,
    oldestMs: await ageOf(db, waiting.flatMap(({ oldestId }) => oldestId ?? []).sort(ascending)[0] ?? null),
    overdueMs: Math.max(0, ...overdue.map(({ overdueMs }) => Number(overdueMs))),
    failed: Number(failed?.count),
  };
}

async function ageOf(db: Runner, id: string | null): Promise<number> {
  if (id === null) return 0;
  const [row] = await selectRows<{ ageMs: Numeric }>(db, AGE, [asNumber(id)]);
  return Math.max(0, Number(row?.ageMs ?? 0));
}
