import type { Database } from '../database/database.js';
import { readOverdue } from '../producer/store/read-overdue.js';
import { createLoop, jittered, type Loop } from '../service/loop.js';

const PERIOD_MS = 60_000;

/**
 * Names messages that have been without an answer for too long: an outage uses no attempt, so nothing else would ever
 * bring them before a person, who may give them up.
 */
export const createOverdueWatch = (db: Database, maxAgeMs: number): Loop =>
  createLoop({
    name: 'overdue-watch',
    events: db.events,
    periodMs: PERIOD_MS,
    step: async () => {
      const messages = await readOverdue(db.knex, maxAgeMs);
      db.events.emit('overdue', { messages });
      return jittered(PERIOD_MS);
    },
  });
