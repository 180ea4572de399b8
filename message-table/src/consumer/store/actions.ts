import type { Database } from '../../database/database.js';
import { asNumber, changeRows, selectRows } from '../../database/rows.js';
import { runInTransaction } from '../../database/transaction.js';
import { createdMsOf, headersIn } from '../headers.js';

/** What a person may do to a note: conditional on the state it was decided for, and recorded with who and why. */

export interface NoteRef {
  readonly messageId: string;
  readonly consumer: string;
  /** The version the person saw: a click on an older picture loses, also when the note is FAILED again. */
  readonly version?: number;
}

export type NoteActionResult = 'done' | 'not-found' | 'state-moved' | 'too-old';

interface Before {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly retryCount: number;
  readonly lostCount: number;
  readonly errorMsg: string | null;
  readonly headers: string | null;
  readonly firstConsumeMs: number | string;
  readonly nowMs: number | string;
}

const LOCK = `
  SELECT id, status, version, retry_count AS retryCount, lost_count AS lostCount, error_msg AS errorMsg, headers,
         UNIX_TIMESTAMP(first_consume_time) * 1000 AS firstConsumeMs, UNIX_TIMESTAMP(NOW(3)) * 1000 AS nowMs
    FROM consumer_message
   WHERE message_id = ? AND consumer = ?
     FOR UPDATE`;

const RETRY = `
  UPDATE consumer_message
     SET status = 'PENDING_RETRY', next_retry_time = NOW(3), retry_count = 0, lost_count = 0, version = version + 1
   WHERE id = ? AND status = 'FAILED' AND version = ?`;

const RECORD = `
  INSERT INTO message_action (side, message_id, consumer, action, who, why, before_row, after_row, action_time)
  VALUES ('consumer', ?, ?, 'retry', ?, ?, ?, ?, NOW(3))`;

/**
 * FAILED → PENDING_RETRY with all attempts back; of two clicks the second is told that the state has moved.
 *
 * @param retentionMs how long notes are kept: a message that is older may have taken effect already
 * @throws the driver's error; COMMIT_UNKNOWN when it may have happened: look at the note
 */
export function retryNote(
  db: Database,
  { messageId, consumer, version }: NoteRef,
  { who, why }: { readonly who: string; readonly why: string },
  retentionMs: number,
): Promise<NoteActionResult> {
  return runInTransaction(db, async (trx) => {
    const [row] = await selectRows<Before>(trx, LOCK, [messageId, consumer]);
    if (row === undefined) return 'not-found';
    const { headers, firstConsumeMs, nowMs, ...before } = row;
    if (before.status !== 'FAILED' || before.version !== (version ?? before.version)) return 'state-moved';
    const createdMs = createdMsOf(headersIn(headers)) ?? Number(firstConsumeMs);
    if (Number(nowMs) - createdMs > retentionMs) return 'too-old';
    await changeRows(trx, RETRY, [asNumber(before.id), before.version]);
    const after = { ...before, status: 'PENDING_RETRY', version: before.version + 1, retryCount: 0, lostCount: 0 };
    await changeRows(trx, RECORD, [messageId, consumer, who, why, JSON.stringify(before), JSON.stringify(after)]);
    return 'done';
  });
}
