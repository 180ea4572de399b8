import { createEvents, openDatabase, pause, resume, type Database } from '@counterfoil/message-table';
import { selectRows } from '@counterfoil/message-table/rows';

import type { Inject } from '../injection.js';

const NEMESIS = { who: 'nemesis', why: 'to see that it waits' };

/** What is paused piles up, and is sent when it is resumed; nobody else sends it meanwhile, unless its group overlaps. */
export const pauseSending: Inject<'pause-sending'> = async (world, { scope, name }) => {
  const db = openDatabase({ url: world.stack.orderDb.url, events: createEvents() });
  const target = { scope, target: name };
  await pause(db, target, NEMESIS);
  const sinceMs = performance.now();
  return {
    heal: async () => {
      const waiting = await countWaiting(db);
      await resume(db, target, NEMESIS);
      await db.close();
      return { waiting, pausedMs: Math.round(performance.now() - sinceMs) };
    },
  };
};

async function countWaiting(db: Database): Promise<number> {
  const [row] = await selectRows<{ count: number | string }>(
    db.knex,
    `SELECT COUNT(*) AS count FROM producer_message WHERE status = 'PENDING' AND next_retry_time <= NOW(3)`,
  );
  return Number(row?.count);
}
