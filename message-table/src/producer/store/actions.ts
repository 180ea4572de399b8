import type { Database } from '../../database/database.js';
import { asNumber, changeRows, selectRows } from '../../database/rows.js';
import { runInTransaction, type Transaction } from '../../database/transaction.js';

// What a person may do to a message. Each is conditional on the state it was decided for and recorded, in one
// transaction, with who and why; of two clicks the second is told that the state has moved.

export interface Person {
  readonly who: string;
  readonly why: string;
}

export type ActionResult = 'done' | 'not-found' | 'state-moved' | 'too-old';

interface Row {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly retryCount: number;
  readonly lostCount: number;
  readonly errorMsg: string | null;
  readonly ageMs: number | string;
}

const LOCK = `
  SELECT id, status, version, retry_count AS retryCount, lost_count AS lostCount, error_msg AS errorMsg,
         TIMESTAMPDIFF(MICROSECOND, create_time, NOW(3)) / 1000 AS ageMs
    FROM producer_message
   WHERE message_id = ?
     FOR UPDATE`;

const back = (from: string): string => `
  UPDATE producer_message
     SET status = 'PENDING', next_retry_time = NOW(3), retry_count = 0, lost_count = 0, sent_time = NULL,
         update_time = NOW(3), version = version + 1
   WHERE id = ? AND status = '${from}' AND version = ?`;

const RETRY = back('FAILED');
const REPLAY = back('SENT');

const GIVE_UP = `
  UPDATE producer_message
     SET status = 'FAILED', next_retry_time = NULL, error_msg = 'given up by a person', update_time = NOW(3),
         version = version + 1
   WHERE id = ? AND status = 'PENDING' AND version = ?`;

const RECORD = `
  INSERT INTO message_action (side, message_id, action, who, why, before_row, after_row, action_time)
  VALUES ('producer', ?, ?, ?, ?, ?, ?, NOW(3))`;

interface Action {
  readonly name: string;
  readonly from: string;
  readonly sql: string;
  readonly prepare?: (trx: Transaction, messageId: string) => Promise<void>;
}

/**
 * FAILED → PENDING with all attempts back.
 *
 * @param retentionMs the consumers' inbox retention: a message older than that could take effect a second time
 */
export const retryMessage = (
  db: Database,
  messageId: string,
  person: Person,
  retentionMs: number,
): Promise<ActionResult> =>
  act(db, { name: 'retry', from: 'FAILED', sql: RETRY }, messageId, { ...person, retentionMs });

/** SENT → PENDING under the same message id: consumers that have it ignore it. */
export const replayMessage = (
  db: Database,
  messageId: string,
  person: Person,
  retentionMs: number,
): Promise<ActionResult> =>
  act(db, { name: 'replay', from: 'SENT', sql: REPLAY, prepare: unarchive }, messageId, {
    ...person,
    retentionMs,
  });

/** PENDING → FAILED, for a message that has been without an answer for too long. */
export const giveUpMessage = (db: Database, messageId: string, person: Person): Promise<ActionResult> =>
  act(db, { name: 'give-up', from: 'PENDING', sql: GIVE_UP }, messageId, {
    ...person,
    retentionMs: Infinity,
  });

type Deed = Person & { readonly retentionMs: number };

function act(db: Database, action: Action, messageId: string, { who, why, retentionMs }: Deed): Promise<ActionResult> {
  return runInTransaction(db, async (trx) => {
    const before = await lockMessage(trx, action, messageId);
    if (before === undefined) return 'not-found';
    if (before.status !== action.from) return 'state-moved';
    if (Number(before.ageMs) > retentionMs) return 'too-old';
    await changeRows(trx, action.sql, [asNumber(before.id), before.version]);
    const [after] = await selectRows<Row>(trx, LOCK, [messageId]);
    await changeRows(trx, RECORD, [messageId, action.name, who, why, JSON.stringify(before), JSON.stringify(after)]);
    return 'done';
  });
}

/** Looks twice: a row that was being archived when we came is in the archive once we have waited for it. */
async function lockMessage(trx: Transaction, action: Action, messageId: string): Promise<Row | undefined> {
  for (let look = 1; ; look += 1) {
    await action.prepare?.(trx, messageId);
    const [before] = await selectRows<Row>(trx, LOCK, [messageId]);
    if (before !== undefined || look === 2) return before;
  }
}

const COLUMNS = `id, message_id, task_name, channel, exchange, routing_key, channel_config, content, headers, status,
         house_number, retry_count, max_retry_count, lost_count, next_retry_time, claimed_by, error_msg, create_time,
         update_time, sent_time, version`;

const LOCK_ARCHIVED = `
  SELECT id FROM producer_message_archive
   WHERE message_id = ? AND status = 'SENT'
   ORDER BY id DESC
   LIMIT 1
     FOR UPDATE`;

const COPY_BACK = `
  INSERT INTO producer_message (${COLUMNS})
  SELECT ${COLUMNS} FROM producer_message_archive
   WHERE id = ?
     AND NOT EXISTS (SELECT 1 FROM producer_message AS hot WHERE hot.message_id = ?)`;

const REMOVE_ARCHIVED = 'DELETE FROM producer_message_archive WHERE id = ?';

/**
 * An archived row is moved back first; the copy and the removal share the transaction. Of several, for an id that was
 * accepted again after it had left the live table, it is the newest.
 */
async function unarchive(trx: Transaction, messageId: string): Promise<void> {
  // Two people who replay at once wait for each other here; the second finds the row hot.
  const [archived] = await selectRows<{ id: string }>(trx, LOCK_ARCHIVED, [messageId]);
  if (archived === undefined) return;
  const id = asNumber(archived.id);
  const copied = await changeRows(trx, COPY_BACK, [id, messageId]);
  if (copied > 0) await changeRows(trx, REMOVE_ARCHIVED, [id]);
}
