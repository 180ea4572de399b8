import type { Database } from '../../database/database.js';
import { asNumber, byId, changeRows, selectRows } from '../../database/rows.js';
import { runInTransaction, type Transaction } from '../../database/transaction.js';
import { asClaim, type Claim } from '../producer-message.js';

/**
 * PENDING → SENDING for a batch: one short transaction for one house number, in which nothing is sent.
 * The order is exactly that of the index for_claim, so that only the rows that are taken get locked.
 */
const SELECT_DUE = `
  SELECT id, version, message_id AS messageId, channel, exchange, routing_key AS routingKey,
         retry_count AS retryCount, max_retry_count AS maxRetryCount, lost_count AS lostCount,
         LENGTH(content) AS contentBytes
    FROM producer_message FORCE INDEX (for_claim)
   WHERE status = 'PENDING' AND house_number = ? AND next_retry_time <= NOW(3)
   ORDER BY next_retry_time, id
   LIMIT ?
     FOR UPDATE SKIP LOCKED`;

// FORCE INDEX: with about as many ids as rows in the status the optimizer would take for_claim, and claims
// would dead-lock with settles. The pairs are the fence; the plain list is what the primary key is walked by.
const MARK_CLAIMED = `
  UPDATE producer_message FORCE INDEX (PRIMARY)
     SET status = 'SENDING', version = version + 1, claimed_by = ?, update_time = NOW(3),
         next_retry_time = NOW(3) + INTERVAL ? MICROSECOND
   WHERE id IN (?) AND status = 'PENDING' AND (id, version) IN (?)`;

const PARK = `
  UPDATE producer_message FORCE INDEX (PRIMARY)
     SET version = version + 1, update_time = NOW(3),
         next_retry_time = NOW(3) + INTERVAL CAST(? * 1000 * (0.8 + 0.4 * RAND()) AS SIGNED) MICROSECOND
   WHERE id IN (?) AND status = 'PENDING' AND (id, version) IN (?)`;

interface DueRow {
  readonly id: string;
  readonly version: number;
  readonly messageId: string;
  readonly channel: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly retryCount: number;
  readonly maxRetryCount: number;
  readonly lostCount: number;
  readonly contentBytes: number | string;
}

/** A row that must be sent alone; it stays PENDING until {@link claimSuspect} takes it. */
export type Suspect = Omit<DueRow, 'contentBytes' | 'lostCount'>;

export interface ClaimOptions {
  readonly limit: number;
  readonly leaseMs: number;
  readonly claimedBy: string;
  /** Content bytes in one batch at most; one row is taken whatever its size. */
  readonly byteBudget: number;
  /** How many ms from now a row is put off, or 0 when it may be sent now. */
  readonly parkForMs: (row: { channel: string; exchange: string; routingKey: string }) => number;
  /** Suspects beyond this many are put off a little, so that a crowd of them never hides the rows behind. */
  readonly suspectsKept: number;
}

export interface Claimed {
  readonly claims: readonly Claim[];
  readonly suspects: readonly Suspect[];
  readonly parked: number;
}

const SUSPECTS_COME_BACK_MS = 2_000;

/**
 * Takes up to `limit` due rows of one house for this process.
 *
 * @throws the driver's error; then nothing is held. When COMMIT stayed unanswered nothing is held either: the
 *   lease of what was claimed nevertheless ends by itself.
 */
export function claimBatch(db: Database, house: number, options: ClaimOptions): Promise<Claimed> {
  return runInTransaction(db, async (trx) => {
    const due = await selectRows<DueRow>(trx, SELECT_DUE, [house, options.limit]);
    const { taken, suspects, later } = sortOut(due, options);
    for (const [parkMs, rows] of later) await move(trx, PARK, [parkMs], rows);
    const leaseEndsMs = performance.now() + options.leaseMs;
    if (taken.length > 0) await move(trx, MARK_CLAIMED, [options.claimedBy, options.leaseMs * 1000], taken);
    return { claims: taken.map((row) => claimOf(row, leaseEndsMs)), suspects, parked: sum(later) };
  });
}

/** Takes one suspect, by the fence alone; null when somebody else was quicker. */
export async function claimSuspect(db: Database, suspect: Suspect, options: ClaimOptions): Promise<Claim | null> {
  const leaseEndsMs = performance.now() + options.leaseMs;
  const taken = await move(db.knex, MARK_CLAIMED, [options.claimedBy, options.leaseMs * 1000], [suspect]);
  return taken === 1 ? claimOf(suspect, leaseEndsMs) : null;
}

function sortOut(due: readonly DueRow[], options: ClaimOptions) {
  const taken: DueRow[] = [];
  const suspects: Suspect[] = [];
  const later = new Map<number, DueRow[]>();
  let bytes = 0;
  for (const row of due) {
    const parkMs = row.lostCount > 0 && suspects.length >= options.suspectsKept ? SUSPECTS_COME_BACK_MS : options.parkForMs(row);
    if (parkMs > 0) later.set(parkMs, [...(later.get(parkMs) ?? []), row]);
    else if (row.lostCount > 0) suspects.push(row);
    else {
      bytes += Number(row.contentBytes);
      if (bytes > options.byteBudget && taken.length > 0) break;
      taken.push(row);
    }
  }
  return { taken, suspects, later };
}

const sum = (later: ReadonlyMap<number, readonly DueRow[]>): number =>
  [...later.values()].reduce((total, rows) => total + rows.length, 0);

function move(
  runner: Transaction | Database['knex'],
  sql: string,
  bindings: readonly unknown[],
  rows: readonly { id: string; version: number }[],
): Promise<number> {
  const sorted = [...rows].sort(byId);
  const ids = sorted.map(({ id }) => asNumber(id));
  return changeRows(runner, sql, [...bindings, ids, sorted.map(({ id, version }) => [asNumber(id), version])]);
}

const claimOf = (row: Suspect, leaseEndsMs: number): Claim =>
  asClaim({
    id: row.id,
    version: row.version + 1,
    messageId: row.messageId,
    retryCount: row.retryCount,
    maxRetryCount: row.maxRetryCount,
    leaseEndsMs,
  });
