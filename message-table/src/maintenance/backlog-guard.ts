import type { Database } from '../database/database.js';
import { countPending } from '../producer/store/read.js';
import { createLoop, type Loop } from '../service/loop.js';

export interface BacklogGuard {
  readonly loop: Loop;
  readonly isFull: () => boolean;
}

/**
 * Tells when more than `maxBacklog` messages wait (0: never). Looks once a second, off the request path, and never counts further than the limit.
 */
export function createBacklogGuard(db: Database, maxBacklog: number): BacklogGuard {
  let full = false;
  const loop = createLoop({
    name: 'backlog-guard',
    events: db.events,
    periodMs: 1_000,
    step: async () => {
      if (maxBacklog === 0) return 60_000;
      full = (await countPending(db.knex, maxBacklog)) >= maxBacklog;
      return 1_000;
    },
  });
  return { loop, isFull: () => full };
}
