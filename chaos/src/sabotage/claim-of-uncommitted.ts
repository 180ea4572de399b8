/** Removes: the claim takes only what has committed. Rows are read at READ UNCOMMITTED and sent before the claim's UPDATE is answered. */
import { built, replace } from './replace.js';

interface Row {
  readonly id: string;
  readonly version: number;
}

interface Options {
  readonly limit: number;
  readonly leaseMs: number;
  readonly claimedBy: string;
}

type Run = (runner: unknown, sql: string, bindings: readonly unknown[]) => Promise<unknown>;
type Claim = (db: { readonly knex: unknown }, houses: readonly number[], options: Options) => Promise<unknown>;

const { changeRows, selectRows } = built('message-table/database/rows') as { changeRows: Run; selectRows: Run };

replace(
  'message-table/database/connection',
  'sessionStatements',
  (original: (lockWaitS: number) => string[]) => (lockWaitS: number) => [
    ...original(lockWaitS),
    'SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED',
  ],
);

const DUE = `
  SELECT id, version, message_id AS messageId, retry_count AS retryCount, max_retry_count AS maxRetryCount
    FROM producer_message
   WHERE status = 'PENDING' AND house_number IN (?) AND next_retry_time <= NOW(3)
   LIMIT ?`;

const MARK = `
  UPDATE producer_message
     SET status = 'SENDING', version = version + 1, claimed_by = ?, next_retry_time = NOW(3) + INTERVAL ? MICROSECOND
   WHERE id = ? AND status = 'PENDING' AND version = ?`;

/** Of this process: what it has claimed and not yet seen marked. */
const taken = new Set<string>();

replace(
  'message-table/producer/store/claim',
  'claimBatch',
  (): Claim =>
    async (db, houses, { limit, leaseMs, claimedBy }) => {
      const due = ((await selectRows(db.knex, DUE, [houses, limit])) as Row[]).filter(({ id }) => !taken.has(id));
      const leaseEndsMs = performance.now() + leaseMs;
      for (const { id, version } of due) {
        taken.add(id);
        void changeRows(db.knex, MARK, [claimedBy, leaseMs * 1000, BigInt(id), version])
          .catch(() => undefined)
          .finally(() => taken.delete(id));
      }
      const claims = due.map((row) => ({ ...row, version: row.version + 1, leaseEndsMs }));
      return { claims, suspects: [], parked: 0, unseen: [] };
    },
);
