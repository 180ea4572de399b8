import type { Pool } from 'mysql2/promise';

import { rowsOf } from './database.js';

const COUNT_AT_MOST = 1_000_000;

const BACKLOG = `
  SELECT COUNT(*) AS n
    FROM (SELECT 1 FROM producer_message WHERE status IN ('PENDING', 'SENDING') LIMIT ${String(COUNT_AT_MOST)}) AS waiting`;

const OPEN_NOTES = `
  SELECT COUNT(*) AS n
    FROM (SELECT 1 FROM consumer_message WHERE status IN ('PENDING_RETRY', 'RETRYING') LIMIT ${String(COUNT_AT_MOST)}) AS waiting`;

const OPEN_ORDERS = `SELECT COUNT(*) AS n FROM orders WHERE status = 'CREATED'`;

/** Messages of one database that are not sent yet. */
export const countBacklog = (pool: Pool): Promise<number> => countOf(pool, BACKLOG);

/** Everything that still has to happen, in both databases; 0 when all is final. Looks at every order: not for every quarter of a second. */
export async function countOpenWork(orders: Pool, inventory: Pool): Promise<number> {
  const counts = await Promise.all([
    countOf(orders, OPEN_ORDERS),
    ...[orders, inventory].flatMap((pool) => [countOf(pool, BACKLOG), countOf(pool, OPEN_NOTES)]),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countOf(pool: Pool, sql: string): Promise<number> {
  const [row] = await rowsOf<{ n: string }>(pool, sql);
  return Number(row?.n ?? 0);
}
