import type { Database } from '../../database/database.js';
import { changeRows, selectRows, type Runner } from '../../database/rows.js';
import { runInTransaction } from '../../database/transaction.js';
import { asClaim, type Claim } from '../producer-message.js';
import { fenceOf } from '../../database/fence.js';
import { parkRows } from './park.js';

/**
 * PENDING → SENDING for a batch: one short transaction for one house number, in which nothing is sent.
 * The order is exactly that of the index for_claim, so that only the rows that are taken get locked.
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

export interface DueRow {
  readonly id: string;
  readonly version: number;
  readonly messageId: string;
  readonly channel: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly channelConfig: string | null;
  readonly retryCount: number;
  readonly maxRetryCount: number;
  readonly lostCount: number;
  readonly contentBytes: number | string;
}

/** A row that must be sent alone; it stays PENDING until {@link claimSuspect} takes it. */
export type Suspect = Omit<DueRow, 'contentBytes' | 'lostCount'>;

/** Why and for how long a row is put off. */
export interface Obstacle {
  /** The destination or channel that is in the way: when it is free again, its rows are pulled forward. */
  readonly parkedFor: string;
  readonly ms: number;
}

export interface ClaimOptions {
  readonly limit: number;
  /** Rows looked at for them, `limit` unless given. More: rows that are put off hide fewer, and more are locked for a moment. */
  readonly look?: number;
  readonly leaseMs: number;
  readonly claimedBy: string;
  /** Content bytes in one batch at most; one row is taken whatever its size. */
  readonly byteBudget: number;
  /** What keeps a row from being sent now, or null. */
  readonly obstacle: (row: DueRow) => Obstacle | null;
  /** Suspects beyond this many are put off a little, so that a crowd of them never hides the rows behind. */
  readonly suspectsKept: number;
}

export interface Claimed {
  readonly claims: readonly Claim[];
  readonly suspects: readonly Suspect[];
  readonly parked: number;
}

const CROWD_OF_SUSPECTS: Obstacle = { parkedFor: 'suspects', ms: 2_000 };

/**
 * Takes up to `limit` due rows of one house for this process.
 *
 * @throws the driver's error; then nothing is held. When COMMIT stayed unanswered nothing is held either: the
 *   lease of what was claimed nevertheless ends by itself.
 */
export function claimBatch(db: Database, house: number, options: ClaimOptions): Promise<Claimed> {
  return runInTransaction(db, async (trx) => {
    const due = await selectRows<DueRow>(trx, SELECT_DUE, [house, options.look ?? options.limit]);
    const { taken, suspects, later } = sortOut(due, options);
    for (const [, { obstacle, rows }] of later) await parkRows(trx, obstacle, rows);
    const leaseEndsMs = performance.now() + options.leaseMs;
    if (taken.length > 0) await take(trx, options, taken);
    return { claims: taken.map((row) => claimOf(row, leaseEndsMs)), suspects, parked: sum(later) };
  });
}

/** Takes one suspect, by the fence alone; null when somebody else was quicker. */
export async function claimSuspect(db: Database, suspect: Suspect, options: ClaimOptions): Promise<Claim | null> {
  const leaseEndsMs = performance.now() + options.leaseMs;
  const taken = await take(db.knex, options, [suspect]);
  return taken === 1 ? claimOf(suspect, leaseEndsMs) : null;
}

function sortOut(due: readonly DueRow[], options: ClaimOptions) {
  const taken: DueRow[] = [];
  const suspects: Suspect[] = [];
  const later: Later = new Map();
  let bytes = 0;
  for (const row of due) {
    // Before anybody is asked about it: who asks for the one that may try a silent destination has to send it.
    const bytesWithIt = bytes + Number(row.contentBytes);
    const isTooMuch = row.lostCount === 0 && taken.length > 0 && bytesWithIt > options.byteBudget;
    if (isTooMuch || taken.length >= options.limit) break;
    const isSurplus = row.lostCount > 0 && suspects.length >= options.suspectsKept;
    const obstacle = isSurplus ? CROWD_OF_SUSPECTS : options.obstacle(row);
    if (obstacle !== null) putOff(later, obstacle, row);
    else if (row.lostCount > 0) suspects.push(row);
    else {
      bytes = bytesWithIt;
      taken.push(row);
    }
  }
  return { taken, suspects, later };
}

type Later = Map<string, { readonly obstacle: Obstacle; readonly rows: DueRow[] }>;

function putOff(later: Later, obstacle: Obstacle, row: DueRow): void {
  const group = later.get(obstacle.parkedFor);
  if (group === undefined) later.set(obstacle.parkedFor, { obstacle, rows: [row] });
  else group.rows.push(row);
}

const sum = (later: Later): number => [...later.values()].reduce((total, { rows }) => total + rows.length, 0);

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
