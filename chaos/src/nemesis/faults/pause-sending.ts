import { createEvents, openDatabase, pause, resume, type Database } from '@counterfoil/message-table';
import { selectRows } from '@counterfoil/message-table/rows';

import type { World } from '../../world/world.js';
import type { Inject } from '../injection.js';

const NEMESIS = { who: 'nemesis', why: 'to see that it waits' };

/** What is paused piles up, and is sent when it is resumed; nobody else sends it meanwhile, unless its group overlaps. */
export const pauseSending: Inject<'pause-sending'> = async (world, { scope, name }, undoBy) => {
  const target = { scope, target: name };
  const goOn = async (): Promise<void> => {
    await onOrderDb(world, (db) => resume(db, target, NEMESIS));
  };
  undoBy(goOn);
  await onOrderDb(world, (db) => pause(db, target, NEMESIS));
  const sinceMs = performance.now();
  return {
    heal: async () => {
      const waiting = await onOrderDb(world, countWaiting);
      await goOn();
      return { waiting, pausedMs: Math.round(performance.now() - sinceMs) };
    },
  };
};

async function onOrderDb<T>({ stack }: World, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: stack.orderDb.url, events: createEvents() });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

async function countWaiting(db: Database): Promise<number> {
  const [row] = await selectRows<{ count: number | string }>(
    db.knex,
    `SELECT COUNT(*) AS count FROM producer_message WHERE status = 'PENDING' AND next_retry_time <= NOW(3)`,
  );
  return Number(row?.count);
}
