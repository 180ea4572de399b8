import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise';

/** Two short connections of our own: what we count does not pass through the services. */
export const openBooks = (url: string): Pool =>
  createPool({ uri: url, connectionLimit: 2, supportBigNumbers: true, bigNumberStrings: true, connectTimeout: 2_000 });

/** One statement, one snapshot. */
export async function rowsOf<Row extends object>(
  pool: Pool,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const [rows] = await pool.query<(Row & RowDataPacket)[]>(sql, [...values]);
  return rows;
}

const ROWS_PER_PAGE = 5_000;

/**
 * All rows of `sql`, page by page, so that no snapshot lasts longer than a page and holds up the server's purge.
 *
 * @param sql selects an `id`, with `id > ?`, in the order of the id, and ends with `LIMIT ?`
 */
export async function* pagesOf<Row extends { readonly id: string }>(pool: Pool, sql: string): AsyncGenerator<Row[]> {
  for (let after = '0'; ;) {
    const rows = await rowsOf<Row>(pool, sql, [BigInt(after), ROWS_PER_PAGE]);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_PAGE) return;
    after = last.id;
  }
}
