import { changeRows, selectRows, type Runner } from '../../database/rows.js';

/** A person's stop sign, as data: every process that sends looks at it once a second. */
export interface Pause {
  /** A channel's name, a destination (see route.ts), or a house number. */
  readonly scope: 'channel' | 'destination' | 'house';
  readonly target: string;
}

export const readPauses = (db: Runner): Promise<Pause[]> =>
  selectRows<Pause>(db, 'SELECT scope, target FROM message_pause');

const PAUSE = `
  INSERT INTO message_pause (scope, target, who, why, pause_time) VALUES (?, ?, ?, ?, NOW(3))
      ON DUPLICATE KEY UPDATE scope = scope`;

/** Nothing is lost by a pause: what is paused waits, and keeps its attempts. */
export async function pause(db: Runner, { scope, target }: Pause, who: string, why: string): Promise<void> {
  await changeRows(db, PAUSE, [scope, target, who, why]);
}

/** @returns false when it was not paused */
export const resume = async (db: Runner, { scope, target }: Pause): Promise<boolean> =>
  (await changeRows(db, 'DELETE FROM message_pause WHERE scope = ? AND target = ?', [scope, target])) === 1;
