import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

const ROWS_PER_PAGE = 5_000;
const CONNECT_MS = 5_000;

/** A column as the driver hands it over: BIGINT as text, smaller numbers as they are. */
export type Cell = string | number | null;

/** Connection for reading: each statement is its own snapshot, so that none of ours holds up the server's purge. */
export async function openForReading(url: string): Promise<Connection> {
  const connection = await createConnection({
    uri: url,
    supportBigNumbers: true,
    bigNumberStrings: true,
    rowsAsArray: true,
    connectTimeout: CONNECT_MS,
  });
  await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  return connection;
}

/**
 * All rows of `sql`, page by page.
 *
 * @param sql selects the column that it is paged by first, with `> ?` and in its order, and ends with `LIMIT ?`
 */
export async function readPages<Row>(
  connection: Connection,
  sql: string,
  toRow: (cells: Cell[]) => Row,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let after = '0'; ;) {
    const page = await readRows(connection, sql, [BigInt(after), ROWS_PER_PAGE]);
    for (const cells of page) all.push(toRow(cells));
    const last = page.at(-1);
    if (last === undefined || page.length < ROWS_PER_PAGE) return all;
    after = text(last[0]);
  }
}

export async function readRows(
  connection: Connection,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Cell[][]> {
  const [rows] = await connection.query<RowDataPacket[][]>(sql, [...values]);
  return rows as unknown as Cell[][];
}

export const text = (cell: Cell | undefined): string => String(cell ?? '');
export const textOrNull = (cell: Cell | undefined): string | null =>
  cell === undefined || cell === null ? null : String(cell);
export const number = (cell: Cell | undefined): number => Number(cell);
