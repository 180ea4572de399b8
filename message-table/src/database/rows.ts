import type { Knex } from 'knex';
import type { ResultSetHeader } from 'mysql2';

/** What a statement is sent through: a pool, for one that is whole by itself, or a transaction. */
export interface Runner {
  raw(sql: string, bindings: readonly Knex.RawBinding[]): PromiseLike<unknown>;
}

/** Bindings are `?`; an array becomes a list, an array of arrays a list of rows. */
export type Bindings = readonly unknown[];

export async function selectRows<Row>(runner: Runner, sql: string, bindings: Bindings = []): Promise<Row[]> {
  const [rows] = (await runner.raw(sql, bindings as Knex.RawBinding[])) as [Row[], unknown];
  return rows;
}

/**
 * @returns how many rows matched. The driver connects with FOUND_ROWS, so a row that matched counts even
 *   when none of its values changed; every update here changes `version`, so the two never differ.
 */
export async function changeRows(runner: Runner, sql: string, bindings: Bindings = []): Promise<number> {
  const [result] = (await runner.raw(sql, bindings as Knex.RawBinding[])) as [ResultSetHeader, unknown];
  return result.affectedRows;
}

/** Ids travel as strings and are compared as numbers: a quoted id would be compared as a double, which merges neighbours above 2^53. */
export const asNumber = (id: string): bigint => BigInt(id);

/** Ascending: everybody who locks several rows locks them in this order. */
export const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
