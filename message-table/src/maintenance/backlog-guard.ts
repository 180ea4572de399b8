import type { Database } from '../database/database.js';
import { countPending } from '../producer/store/read.js';
import { createLoop, type Loop } from '../service/loop.js';

export interface BacklogGuard {
  readonly loop: Loop;
  readonly isFull: () => boolean;
}

const NAME = 'backlog-guard';
const PERIOD_MS = 1_000;

const nothing = (): Promise<void> => Promise.resolve();
const OFF: BacklogGuard = {
  loop: { name: NAME, start: nothing, stop: nothing, isTurning: () => true },
  isFull: () => false,
};

/**
 * Tells when `maxBacklog` messages or more wait (0: never). Looks once a second, off the request path, and never counts
 * further than the limit.
 */
export function createBacklogGuard(db: Database, maxBacklog: number): BacklogGuard {
  if (maxBacklog === 0) return OFF;
  let full = false;
  const loop = createLoop({
    name: NAME,
    events: db.events,
    periodMs: PERIOD_MS,
    step: async () => {
      full = (await countPending(db.knex, maxBacklog)) >= maxBacklog;
      return PERIOD_MS;
    },
  });
  return { loop, isFull: () => full };
}
