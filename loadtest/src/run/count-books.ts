import { setTimeout as rest } from 'node:timers/promises';

import { readDeductions } from '../read-deductions.js';
import type { Workload } from '../workload.js';
import type { Books } from './shared.js';

const LOOK_EVERY_MS = 1_000;
/** Nothing moved for so long: what is not deducted by now will not be. */
const STILL_MS = 15_000;

export interface BooksOptions {
  readonly workload: Workload;
  /** By product id. */
  readonly stock: () => Promise<Map<number, bigint>>;
  /** Orders that were accepted: when so many are deducted there is nothing to wait for. */
  readonly accepted: number;
  readonly nowMs?: () => number;
  readonly rest?: (ms: number) => Promise<unknown>;
}

/** Waits while orders are still being deducted, then counts in the stock of every product. */
export async function countBooks(options: BooksOptions): Promise<Books> {
  const { nowMs = () => performance.now(), rest: restFor = rest, accepted } = options;
  let books = await readBooks(options);
  let movedAtMs = nowMs();
  while (books.deducted < accepted && nowMs() - movedAtMs < STILL_MS) {
    await restFor(LOOK_EVERY_MS);
    const now = await readBooks(options);
    if (now.deducted !== books.deducted) movedAtMs = nowMs();
    books = now;
  }
  // One that comes twice comes again after the first.
  await restFor(LOOK_EVERY_MS);
  return readBooks(options);
}

async function readBooks({ workload, stock }: BooksOptions): Promise<Books> {
  const { times, unreadable } = readDeductions(workload, await stock());
  const count = (is: (times: number) => boolean): number => times.reduce((sum, each) => sum + Number(is(each)), 0);
  return {
    products: workload.productIds.length,
    deducted: count((each) => each > 0),
    doubled: count((each) => each > 1),
    unreadable: unreadable.length,
  };
}
