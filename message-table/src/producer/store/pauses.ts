import type { Database } from '../../database/database.js';
import { duplicateKey } from '../../database/error-kinds.js';
import { changeRows, selectRows, type Runner } from '../../database/rows.js';
import { runInTransaction, type Transaction } from '../../database/transaction.js';
import { MessageTableError } from '../../errors.js';
import { isUsableKey } from '../../usable-key.js';
import { HOUSE_COUNT } from '../producer-message.js';
import type { ActionResult, Person } from './actions.js';

/** A person's stop sign, as data: every process that sends looks at it once a second. */
export interface Pause {
  readonly scope: 'channel' | 'destination' | 'house' | 'group';
  /** A channel's name, a destination (see route.ts), a house number, or the groupId of a task group. */
  readonly target: string;
}

export const readPauses = (db: Runner): Promise<Pause[]> =>
  selectRows<Pause>(db, 'SELECT scope, target FROM message_pause');

export interface ListedPause extends Pause, Person {
  /** How long it has been in force, ms. */
  readonly forMs: number;
}

const LIST = `
  SELECT scope, target, who, why, TIMESTAMPDIFF(MICROSECOND, pause_time, NOW(3)) / 1000 AS forMs
    FROM message_pause
   ORDER BY pause_time, scope, target`;

/** What is paused now, by whom and why. */
export async function listPauses(db: Runner): Promise<ListedPause[]> {
  const rows = await selectRows<Omit<ListedPause, 'forMs'> & { forMs: number | string }>(db, LIST);
  return rows.map((row) => ({ ...row, forMs: Number(row.forMs) }));
}

const PAUSE = 'INSERT INTO message_pause (scope, target, who, why, pause_time) VALUES (?, ?, ?, ?, NOW(3))';
const RESUME = 'DELETE FROM message_pause WHERE scope = ? AND target = ?';

// It is about no single message, so it has no message_id.
const RECORD = `
  INSERT INTO message_action (side, message_id, action, who, why, before_row, after_row, action_time)
  VALUES ('pause', '', ?, ?, ?, ?, ?, NOW(3))`;

/**
 * Nothing is lost by a pause: what is paused waits, and keeps its attempts. In force everywhere about a second later;
 * what is on its way by then ends.
 *
 * @returns 'state-moved' when it was paused already
 * @throws MessageTableError `PAUSE_INVALID` for a target that nothing can have; the driver's error
 */
export async function pause(db: Database, { scope, target }: Pause, person: Person): Promise<PauseResult> {
  if (!canBe({ scope, target })) {
    throw new MessageTableError('PAUSE_INVALID', `There is no ${scope} '${target}' to pause`);
  }
  try {
    return await runInTransaction<PauseResult>(db, async (trx) => {
      await changeRows(trx, PAUSE, [scope, target, person.who, person.why]);
      await record(trx, 'pause', person, { before: null, after: { scope, target } });
      return 'done';
    });
  } catch (error) {
    if (duplicateKey(error) === 'PRIMARY') return 'state-moved';
    throw error;
  }
}

/** What was put off comes forward within seconds. @returns 'state-moved' when it was not paused */
export const resume = (db: Database, { scope, target }: Pause, person: Person): Promise<PauseResult> =>
  runInTransaction<PauseResult>(db, async (trx) => {
    if (!canBe({ scope, target })) return 'state-moved';
    if ((await changeRows(trx, RESUME, [scope, target])) === 0) return 'state-moved';
    await record(trx, 'resume', person, { before: { scope, target }, after: null });
    return 'done';
  });

export type PauseResult = Extract<ActionResult, 'done' | 'state-moved'>;

interface Change {
  readonly before: Pause | null;
  readonly after: Pause | null;
}

const record = (
  trx: Transaction,
  action: 'pause' | 'resume',
  { who, why }: Person,
  { before, after }: Change,
): Promise<number> => changeRows(trx, RECORD, [action, who, why, JSON.stringify(before), JSON.stringify(after)]);

/** A stop sign that stops nothing would be believed. To the table a name with a blank at its end is the one without it. */
const canBe = ({ scope, target }: Pause): boolean =>
  scope === 'house' ? /^\d$/.test(target) && Number(target) < HOUSE_COUNT : isUsableKey(target, 255);
