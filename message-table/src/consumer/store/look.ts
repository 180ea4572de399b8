import { selectRows, type Runner } from '../../database/rows.js';

/** What waits in the inbox, for gauges; counted up to the limit, without locks. */
export interface InboxLook {
  /** Notes that will be redelivered. */
  readonly redeliveries: number;
  /** Notes that wait for a person. */
  readonly failed: number;
}

const countOf = (statuses: string): string => `
  SELECT COUNT(*) AS count
    FROM (SELECT 1 FROM consumer_message FORCE INDEX (for_retry) WHERE status IN (${statuses}) LIMIT ?) AS counted`;

const REDELIVERIES = countOf(`'PENDING_RETRY', 'RETRYING'`);
const FAILED = countOf(`'FAILED'`);

export async function lookAtInbox(db: Runner, limit: number): Promise<InboxLook> {
  const count = async (sql: string): Promise<number> => {
    const [row] = await selectRows<{ count: number | string }>(db, sql, [limit]);
    return Number(row?.count);
  };
  return { redeliveries: await count(REDELIVERIES), failed: await count(FAILED) };
}
