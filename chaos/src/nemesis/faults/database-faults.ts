import { createConnection } from 'mysql2/promise';

import type { Inject } from '../injection.js';

/**
 * Locks products in the wrong order and holds them a moment, again and again, so that consumers lose races and
 * wait for locks.
 */
export const deadlocks: Inject<'deadlocks'> = async (world) => {
  const stopping = new AbortController();
  let rounds = 0;
  let lost = 0;
  const connection = await createConnection(world.stack.inventoryDb.url);
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await connection.query('BEGIN');
        await connection.query('SELECT id FROM product ORDER BY RAND() LIMIT 20 FOR UPDATE');
        await connection.query('SELECT id FROM product ORDER BY id DESC LIMIT 200 FOR UPDATE');
        rounds += 1;
      } catch {
        lost += 1;
      }
      await connection.query('ROLLBACK').catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    heal: async () => {
      stopping.abort();
      await running;
      await connection.end();
      return { lockingRounds: rounds, deadlocksMet: lost };
    },
  };
};
