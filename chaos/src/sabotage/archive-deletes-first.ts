/** Removes: the transaction around an archive batch. Rows leave the live table first, and are written into the archive from memory. */
import { built, replace } from './replace.js';

interface Database {
  readonly knex: unknown;
}

interface MoveSql {
  readonly lock: string;
  readonly remove: string;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };
type Run<T> = (runner: unknown, sql: string, bindings: readonly unknown[]) => Promise<T>;
type Move = (db: Database, sql: MoveSql, ids: readonly string[], retentionMs: number) => Promise<number>;

// Called through the module, as everybody does: it is where a process can be killed in between.
const rows = built('message-table/database/rows') as { selectRows: Run<Row[]>; changeRows: Run<number> };

replace(
  'message-table/maintenance/archive-batch',
  'moveToArchive',
  (): Move =>
    async ({ knex }, sql, ids, retentionMs) => {
      const held = await rows.selectRows(knex, sql.lock, [ids.map(BigInt), retentionMs * 1000]);
      if (held.length === 0) return 0;
      const table = /FROM (\w+_message)\b/.exec(sql.lock)?.[1] ?? '';
      const numbers = held.map(({ id }) => BigInt(id));
      const whole = await rows.selectRows(knex, `SELECT * FROM ${table} WHERE id IN (?)`, [numbers]);
      const removed = await rows.changeRows(knex, sql.remove, [
        numbers,
        held.map(({ id, version }) => [BigInt(id), version]),
      ]);
      const columns = Object.keys(whole[0] ?? {});
      const marks = `(${columns.map(() => '?').join(', ')}, NOW(3))`;
      await rows.changeRows(
        knex,
        `INSERT INTO ${table}_archive (${columns.join(', ')}, archive_time) VALUES ${whole.map(() => marks).join(', ')}`,
        whole.flatMap((row) => columns.map((column) => row[column])),
      );
      return removed;
    },
);
