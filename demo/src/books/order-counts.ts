import type { Pool } from 'mysql2/promise';

import { rowsOf } from './database.js';

export interface OrderCounts {
  readonly placed: number;
  readonly confirmed: number;
  readonly rejected: number;
}

interface Row {
  placed: string;
  confirmed: string | null;
  rejected: string | null;
  last: string | null;
}

const COUNT = `
  SELECT COUNT(*) AS placed, SUM(status = 'CONFIRMED') AS confirmed, SUM(status = 'REJECTED') AS rejected, MAX(id) AS last
    FROM orders
   WHERE id > ? AND id <= ?`;

const NO_END = String(2n ** 63n - 1n);

/** Ids grow with time, but transactions commit out of order: younger ones are looked at again. */
const SETTLED_AFTER_MS = 5_000;
const NONE: OrderCounts = { placed: 0, confirmed: 0, rejected: 0 };

/**
 * Counts orders by status for the live view. What is old and decided is counted once, so that a look costs the same at the end of
 * a long run as at its beginning.
 */
export class OrderCounter {
  private settled = { upTo: '0', counts: NONE };
  private next: { readonly upTo: string; readonly atMs: number } | null = null;

  constructor(private readonly orders: Pool) {}

  async look(nowMs: number): Promise<OrderCounts> {
    const { counts, last } = await this.count(this.settled.upTo, NO_END);
    const total = sum(this.settled.counts, counts);
    if (this.next === null) this.next = last === null ? null : { upTo: last, atMs: nowMs };
    else if (nowMs - this.next.atMs > SETTLED_AFTER_MS) await this.settle(this.next.upTo);
    return total;
  }

  /** Everything up to `upTo` is counted for good, unless something of it is still undecided. */
  private async settle(upTo: string): Promise<void> {
    this.next = null;
    const { counts } = await this.count(this.settled.upTo, upTo);
    if (counts.placed === counts.confirmed + counts.rejected)
      this.settled = { upTo, counts: sum(this.settled.counts, counts) };
  }

  private async count(after: string, upTo: string): Promise<{ counts: OrderCounts; last: string | null }> {
    const [row] = await rowsOf<Row>(this.orders, COUNT, [BigInt(after), BigInt(upTo)]);
    const counts = { placed: Number(row?.placed), confirmed: Number(row?.confirmed), rejected: Number(row?.rejected) };
    return { counts, last: row?.last ?? null };
  }
}

const sum = (a: OrderCounts, b: OrderCounts): OrderCounts => ({
  placed: a.placed + b.placed,
  confirmed: a.confirmed + b.confirmed,
  rejected: a.rejected + b.rejected,
});
