import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

import { Latencies, type LatencySummary } from './latencies.js';
import { indexOfKey } from './settings.js';

const ROWS_PER_PAGE = 5_000;

const PAGE = `
  SELECT id, idempotency_key AS orderKey, status, TIMESTAMPDIFF(MICROSECOND, create_time, update_time) AS tookUs
    FROM orders
   WHERE id > ?
   ORDER BY id
   LIMIT ${String(ROWS_PER_PAGE)}`;

interface OrderTimes extends RowDataPacket {
  id: string;
  orderKey: string | null;
  status: string;
  tookUs: string | number;
}

/**
 * Order row written → CONFIRMED, for the confirmed orders of a run from `firstIndex` on: both times are of the
 * database's clock, to the millisecond. Read page by page, so that no snapshot holds up the server's purge.
 */
export async function measureConfirmation(
  databaseUrl: string,
  run: string,
  firstIndex: number,
): Promise<LatencySummary> {
  const connection = await createConnection({ uri: databaseUrl, supportBigNumbers: true, bigNumberStrings: true });
  const latencies = new Latencies();
  try {
    for (let after: string | null = '0'; after !== null;) {
      const rows = await readPage(connection, after);
      rows
        .filter((row) => isMeasured(row, run, firstIndex))
        .forEach(({ tookUs }) => latencies.record(Number(tookUs) / 1000));
      after = rows.length < ROWS_PER_PAGE ? null : (rows.at(-1)?.id ?? null);
    }
    return latencies.summary();
  } finally {
    await connection.end();
  }
}

function isMeasured({ status, orderKey }: OrderTimes, run: string, firstIndex: number): boolean {
  const index = indexOfKey(run, orderKey);
  return status === 'CONFIRMED' && index !== null && index >= firstIndex;
}

async function readPage(connection: Connection, after: string): Promise<OrderTimes[]> {
  const [rows] = await connection.query<OrderTimes[]>(PAGE, [BigInt(after)]);
  return rows;
}
