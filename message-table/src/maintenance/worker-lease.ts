import type { Database } from '../database/database.js';
import { changeRows, selectRows } from '../database/rows.js';
import { runInTransaction } from '../database/transaction.js';
import { MessageTableError } from '../errors.js';
import type { IdRange } from '../service/setting-types.js';
import type { WorkerClock } from './snowflake.js';

const FREE_WORKER = `
  SELECT worker_id AS workerId, version
    FROM worker_lease
   WHERE lease_until < NOW(3) AND worker_id BETWEEN ? AND ?
   ORDER BY worker_id
   LIMIT 1
     FOR UPDATE SKIP LOCKED`;

const TAKE = `
  UPDATE worker_lease
     SET holder = ?, lease_until = NOW(3) + INTERVAL ? MICROSECOND, version = version + 1
   WHERE worker_id = ? AND version = ?`;

const RENEW = `
  UPDATE worker_lease
     SET lease_until = NOW(3) + INTERVAL ? MICROSECOND, version = version + 1
   WHERE worker_id = ? AND version = ? AND lease_until > NOW(3)`;

// One second from now: later than any time in an id that was made with it.
const RELEASE = `
  UPDATE worker_lease
     SET holder = NULL, lease_until = NOW(3) + INTERVAL 1 SECOND, version = version + 1
   WHERE worker_id = ? AND version = ?`;

const DATABASE_TIME = `SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS UNSIGNED) AS nowMs`;

interface Lease {
  readonly workerId: number;
  readonly version: number;
  /** The database's time at `takenAtMs` of our monotonic clock; an id's time is this plus what has passed since. */
  readonly databaseMs: number;
  readonly takenAtMs: number;
}

export interface WorkerLeaseOptions {
  readonly leaseMs?: number;
  /** Of the worker ids 0 to 1023, those that may be taken. */
  readonly ids?: IdRange | undefined;
  readonly monotonicMs?: () => number;
}

const ALL_IDS: IdRange = { first: 0, last: 1_023 };

/**
 * A snowflake worker id, leased by time on the database's clock.
 *
 * It is used only while more than half of the lease is left by this process's monotonic clock, and the time in
 * an id is the database's time of the last renewal plus the monotonic time since: so a host whose clock is
 * wrong makes right ids, and the next holder of a worker id starts after the last id of the one before.
 */
export class WorkerLease implements WorkerClock {
  private lease: Lease | null = null;
  private readonly leaseMs: number;
  private readonly ids: IdRange;
  private readonly monotonicMs: () => number;

  constructor(
    private readonly db: Database,
    private readonly holder: string,
    { leaseMs = 60_000, ids = ALL_IDS, monotonicMs = () => performance.now() }: WorkerLeaseOptions = {},
  ) {
    this.leaseMs = leaseMs;
    this.ids = ids;
    this.monotonicMs = monotonicMs;
  }

  now(): { workerId: number; nowMs: number } {
    const { lease } = this;
    const passedMs = lease === null ? Infinity : this.monotonicMs() - lease.takenAtMs;
    if (lease === null || passedMs > this.leaseMs / 2) {
      throw new MessageTableError('NO_WORKER_ID', 'No worker id is leased: the database has not answered for too long');
    }
    return { workerId: lease.workerId, nowMs: Math.floor(lease.databaseMs + passedMs) };
  }

  /** Takes or renews the lease; call it at start and a few times within half a lease. */
  async renew(): Promise<void> {
    const startedMs = this.monotonicMs();
    const held = this.lease;
    const extended = held && (await this.extend(held));
    // Somebody else may have it by now: no further id is made with it, even if none is free for us.
    if (extended === null) this.lease = null;
    const next = extended ?? (await this.take());
    const [row] = await selectRows<{ nowMs: number | string }>(this.db.knex, DATABASE_TIME);
    // The older of the two instants for the lease's end, the newer for the time: both err on the safe side.
    const databaseMs = Number(row?.nowMs) - (this.monotonicMs() - startedMs);
    this.lease = { ...next, databaseMs, takenAtMs: startedMs };
  }

  async release(): Promise<void> {
    const { lease } = this;
    this.lease = null;
    if (lease !== null) await changeRows(this.db.knex, RELEASE, [lease.workerId, lease.version]);
  }

  private async extend(held: Lease): Promise<Pick<Lease, 'workerId' | 'version'> | null> {
    const renewed = await changeRows(this.db.knex, RENEW, [this.leaseMs * 1000, held.workerId, held.version]);
    return renewed === 1 ? { workerId: held.workerId, version: held.version + 1 } : null;
  }

  private take(): Promise<Pick<Lease, 'workerId' | 'version'>> {
    return runInTransaction(this.db, async (trx) => {
      const [free] = await selectRows<{ workerId: number; version: number }>(trx, FREE_WORKER, [
        this.ids.first,
        this.ids.last,
      ]);
      if (free === undefined)
        throw new MessageTableError(
          'NO_WORKER_ID',
          `All worker ids from ${String(this.ids.first)} to ${String(this.ids.last)} are leased`,
        );
      await changeRows(trx, TAKE, [this.holder, this.leaseMs * 1000, free.workerId, free.version]);
      return { workerId: free.workerId, version: free.version + 1 };
    });
  }
}
