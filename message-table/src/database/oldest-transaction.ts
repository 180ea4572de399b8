import { selectRows, type Runner } from './rows.js';

// trx_started is in the server's own time zone, our sessions are in UTC.
const OLDEST = `
  SELECT MAX(TIMESTAMPDIFF(SECOND, CONVERT_TZ(trx_started, 'SYSTEM', '+00:00'), NOW())) AS oldestS
    FROM information_schema.innodb_trx`;

const NEEDS_PROCESS = 1227;

/**
 * Since when the oldest transaction of the whole server has been open, ms; 0 when there is none. While it is open the
 * server keeps every version of every row since, and claims get slower.
 *
 * @returns null when this account may not look (it needs the PROCESS privilege)
 */
export async function oldestTransactionMs(db: Runner): Promise<number | null> {
  try {
    const [row] = await selectRows<{ oldestS: number | string | null }>(db, OLDEST);
    return Math.max(0, Number(row?.oldestS ?? 0) * 1000);
  } catch (error) {
    if (error instanceof Error && 'errno' in error && error.errno === NEEDS_PROCESS) return null;
    throw error;
  }
}
