import { createConnection, type RowDataPacket } from 'mysql2/promise';

import { connectionOptions } from '../database/connection.js';
import type { Database } from '../database/database.js';
import { changeRows, selectRows } from '../database/rows.js';

export interface Said {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** The statements on `table` that `work` sends, as they are sent. */
export async function statementsOf(db: Database, table: string, work: () => Promise<unknown>): Promise<Said[]> {
  const said: Said[] = [];
  const listen = ({ sql, bindings }: { sql: string; bindings?: unknown[] }): void => {
    if (sql.includes(table)) said.push({ sql, bindings: bindings ?? [] });
  };
  db.knex.on('query', listen);
  await work().finally(() => db.knex.removeListener('query', listen));
  return said;
}

export interface PlanStep {
  readonly key: string | null;
  readonly access: string | null;
  readonly extra: string;
}

/** How the server would carry the statement out, the steps on `table` only. The same on MySQL and MariaDB. */
export async function planOf(db: Database, table: string, { sql, bindings }: Said): Promise<PlanStep[]> {
  const connection = await createConnection(connectionOptions(db.options.url, 5_000));
  try {
    // MySQL 9 answers a plain EXPLAIN as a tree.
    const [rows] = await connection.query<RowDataPacket[]>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, [...bindings]);
    return rows
      .filter((row) => row['table'] === table || row['table'] === null)
      .map((row) => ({
        key: row['key'] as string | null,
        access: row['type'] as string | null,
        extra: String(row['Extra'] ?? ''),
      }));
  } finally {
    await connection.end();
  }
}

/** How many rows the server touched while `work` ran; `db` must have one connection only. */
export async function rowsTouched(db: Database, work: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> => {
    const rows = await selectRows<{ Value: string }>(db.knex, `SHOW SESSION STATUS LIKE 'Handler_read%'`);
    return rows.reduce((total, { Value }) => total + Number(Value), 0);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

/** Fills an empty table up to `count` rows by doubling the ones made by `first`; both tables have an `id` and a `message_id`. */
export async function multiply(
  db: Database['knex'],
  table: 'producer_message' | 'consumer_message',
  count: number,
): Promise<void> {
  const columns = await selectRows<{ Field: string }>(db, `SHOW COLUMNS FROM ${table}`);
  const names = columns.map(({ Field }) => Field);
  for (;;) {
    const [row] = await selectRows<{ have: string; top: string }>(
      db,
      `SELECT COUNT(*) AS have, MAX(id) AS top FROM ${table}`,
    );
    const have = Number(row?.have);
    if (have >= count || have === 0) break;
    const values = names.map((name) => {
      if (name === 'id') return `id + ${String(row?.top)}`;
      if (name === 'message_id') return `CONCAT('copy-', id + ${String(row?.top)})`;
      return name === 'house_number' ? `(id + ${String(row?.top)}) MOD 10` : name;
    });
    const limit = Math.min(have, count - have);
    await changeRows(
      db,
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${table} ORDER BY id LIMIT ${String(limit)}`,
    );
  }
  await db.raw(`ANALYZE TABLE ${table}`);
}
