import type { Database } from '../../database/database.js';
import { changeRows, selectRows, type Runner } from '../../database/rows.js';
import { runInTransaction, type Transaction } from '../../database/transaction.js';
import { asClaim, type Claim } from '../producer-message.js';
import { fenceOf } from '../../database/fence.js';
import { parkRows } from './park.js';
import { SortedRows, type DueRow, type SortOptions, type Suspect } from './sort-rows.js';

/**
 * PENDING → SENDING for a batch: one short transaction, in which nothing is sent. House by house, because this is
 * exactly the order of the index for_claim: only the rows that are taken get locked, and nothing is sorted.
 */
const SELECT_DUE = `
  SELECT id, version, message_id AS messageId, channel, exchange, routing_key AS routingKey, channel_config AS channelConfig,
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
     SET status = 'SENDING', version = version + 1, claimed_by = ?, parked_for = NULL, update_time = NOW(3),
         next_retry_time = NOW(3) + INTERVAL ? MICROSECOND
   WHERE id IN (?) AND status = 'PENDING' AND (id, version) IN (?)`;

const LONGEST_LOOK_MS = 200;

export interface ClaimOptions extends SortOptions {
  /** Rows looked at for them, `limit` unless given. More: rows that are put off hide fewer, and more are locked for a moment. */
  readonly look?: number;
  readonly leaseMs: number;
  readonly claimedBy: string;
}

export interface Claimed {
  readonly claims: readonly Claim[];
  readonly suspects: readonly Suspect[];
  readonly parked: number;
  /** House numbers that it did not come to any more, or not to the end of. */
  readonly unseen: readonly number[];
}

/**
 * Takes up to `limit` due rows of these house numbers for this process, those of the first one first.
 *
 * @throws the driver's error; then nothing is held. When COMMIT stayed unanswered nothing is held either: the
 *   lease of what was claimed nevertheless ends by itself.
 */
export function claimBatch(db: Database, houses: readonly number[], options: ClaimOptions): Promise<Claimed> {
  return runInTransaction(db, async (trx) => {
    const { sorted, unseen } = await lookInto(trx, houses, options);
    const { taken, suspects, later } = sorted;
    let parked = 0;
    for (const { obstacle, rows } of later) {
      await parkRows(trx, obstacle, rows);
      parked += rows.length;
    }
    const leaseEndsMs = performance.now() + options.leaseMs;
    if (taken.length > 0) await take(trx, options, taken);
    return { claims: taken.map((row) => claimOf(row, leaseEndsMs)), suspects, parked, unseen };
  });
}

/** What it meets stays locked until the claim ends, so that it looks no further once that has taken a while. */
async function lookInto(trx: Transaction, houses: readonly number[], options: ClaimOptions) {
  const sorted = new SortedRows(options);
  const endsMs = performance.now() + LONGEST_LOOK_MS;
  let look = options.look ?? options.limit;
  let next = 0;
  while (look > 0 && next < houses.length && !sorted.isFull && performance.now() < endsMs) {
    const due = await selectRows<DueRow>(trx, SELECT_DUE, [houses[next], look]);
    sorted.add(due);
    look -= due.length;
    // A row that only did not fit beside the others is the first of the next claim.
    if (!sorted.isOverBudget) next += 1;
  }
  return { sorted, unseen: houses.slice(next) };
}

/** Takes one suspect, by the fence alone; null when somebody else was quicker. */
export async function claimSuspect(db: Database, suspect: Suspect, options: ClaimOptions): Promise<Claim | null> {
  const leaseEndsMs = performance.now() + options.leaseMs;
  const taken = await take(db.knex, options, [suspect]);
  return taken === 1 ? claimOf(suspect, leaseEndsMs) : null;
}

const take = (runner: Runner, { claimedBy, leaseMs }: ClaimOptions, rows: readonly Suspect[]): Promise<number> =>
  changeRows(runner, MARK_CLAIMED, [claimedBy, leaseMs * 1000, ...fenceOf(rows)]);

const claimOf = (row: Suspect, leaseEndsMs: number): Claim =>
  asClaim({
    id: row.id,
    version: row.version + 1,
    messageId: row.messageId,
    retryCount: row.retryCount,
    maxRetryCount: row.maxRetryCount,
    leaseEndsMs,
  });
