import type { DatabaseServer } from '@counterfoil/stack';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

import { notesOfNemesis } from '../checkers/expected-failures.js';
import type { World } from '../world/world.js';

/** Work that has not come to its end. FAILED is an end; an order whose message FAILED stays CREATED for good. */
const OPEN = {
  messages: `SELECT COUNT(*) AS count FROM producer_message FORCE INDEX (for_claim) WHERE status IN ('PENDING', 'SENDING')`,
  notes: `SELECT COUNT(*) AS count FROM consumer_message FORCE INDEX (for_retry) WHERE status IN ('PENDING_RETRY', 'RETRYING')`,
  orders: `SELECT COUNT(*) AS count FROM orders WHERE status = 'CREATED'`,
  failedMessages: `SELECT COUNT(*) AS count FROM producer_message FORCE INDEX (for_claim) WHERE status = 'FAILED'`,
  failedNotes: `SELECT COUNT(*) AS count FROM consumer_message FORCE INDEX (for_retry) WHERE status = 'FAILED' AND message_id NOT IN (?)`,
} as const;

export interface OpenWork {
  /** Rows that somebody still has to act on. */
  readonly rows: number;
  /**
   * Orders without a decision, beyond those that a FAILED message or note keeps from one. Null, not counted, while rows are
   * open: no index finds them, and a look at a million of them takes a minute.
   */
  readonly undecided: number | null;
}

type Databases = Pick<World, 'plan'> & {
  readonly orderDbs: readonly Pick<DatabaseServer, 'url'>[];
  readonly stack: { readonly inventoryDb: Pick<DatabaseServer, 'url'> };
};

export async function countOpenWork({ stack, orderDbs, plan }: Databases): Promise<OpenWork> {
  const everyDb = [...orderDbs, stack.inventoryDb];
  // None of our orders waits for what the nemesis has sent.
  const strangers = ['', ...notesOfNemesis(plan)];
  const everywhere = await Promise.all(everyDb.map(({ url }) => countIn(url, ON_BOTH_SIDES, strangers)));
  const inventory = everywhere.at(-1);
  const rows = sum(everywhere.map(({ messages, notes }) => messages + notes));
  if (rows > 0) return { rows, undecided: null };
  const orders = await Promise.all(orderDbs.map(({ url }) => countIn(url, ['orders'], [])));
  const undecided = sum(orders.map((one) => one.orders));
  const failed = sum(everywhere.map(({ failedMessages }) => failedMessages)) + (inventory?.failedNotes ?? 0);
  return { rows, undecided: Math.max(0, undecided - failed) };
}

type Counts = Record<keyof typeof OPEN, number>;

const ON_BOTH_SIDES = ['messages', 'notes', 'failedMessages', 'failedNotes'] as const;

async function countIn(url: string, names: readonly (keyof Counts)[], strangers: readonly string[]): Promise<Counts> {
  const connection = await createConnection({ uri: url, connectTimeout: 3_000 });
  try {
    const counts = { messages: 0, notes: 0, orders: 0, failedMessages: 0, failedNotes: 0 };
    for (const name of names) counts[name] = await count(connection, OPEN[name], strangers);
    return counts;
  } finally {
    connection.destroy();
  }
}

async function count(connection: Connection, sql: string, strangers: readonly string[]): Promise<number> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, [strangers]);
  return Number(rows[0]?.['count']);
}

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
