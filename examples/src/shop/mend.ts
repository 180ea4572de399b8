import { giveUpMessage, retryMessage, retryNote } from '@counterfoil/message-table';
import type { ActionResult, Database, NoteActionResult, Person } from '@counterfoil/message-table';

// #region mend
/** RETENTION_INBOX_MS of whoever receives: an older message could take effect a second time, and is refused. */
const INBOX_RETENTION_MS = 7 * 24 * 3_600_000;

/** FAILED → PENDING, once the cause is mended. */
export const sendAgain = (db: Database, messageId: string, person: Person): Promise<ActionResult> =>
  retryMessage(db, messageId, person, INBOX_RETENTION_MS);

/** PENDING → FAILED: nobody waits for this one any more. */
export const stopSending = (db: Database, messageId: string, person: Person): Promise<ActionResult> =>
  giveUpMessage(db, messageId, person);

/** FAILED → PENDING_RETRY, in the database of the service that owes the effect; `consumer` is the effect's name. */
export const owe = (db: Database, messageId: string, consumer: string, person: Person): Promise<NoteActionResult> =>
  retryNote(db, { messageId, consumer }, person, INBOX_RETENTION_MS);
// #endregion
