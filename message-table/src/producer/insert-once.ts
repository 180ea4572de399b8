import type { Runner } from '../database/rows.js';
import { duplicateKey } from '../database/error-kinds.js';
import type { StatementBytes } from '../database/statement-bytes.js';
import { MessageTableError } from '../errors.js';
import { inParts } from '../in-parts.js';
import { insertRows, type NewRow, type Session } from './store/insert.js';
import { findAccepted, findAcceptedLocked, type StoredCommand } from './store/read-accepted.js';
import { isSameCommand } from './same-command.js';

/** Rows whose messages are there already, by message id: what the caller gets instead of a new one. */
export type AcceptedBefore = ReadonlyMap<string, Pick<StoredCommand, 'id' | 'messageId'>>;

/** A row that comes and goes between two looks; more often than this is something else. */
const LOOKS = 5;

/**
 * Inserts the rows whose message ids are new, in as few statements as the server can hold.
 *
 * A duplicate key ends its statement, not the transaction; the row that it met stays locked for us, so what is
 * read of it then is what it is. When the row belongs to a transaction that is still open, the insert waits for it.
 *
 * @param rows in ascending order of their message ids: two batches that share some then meet them in one order
 * @throws MessageTableError `MESSAGE_ID_TAKEN` when the message that is there is another one; the driver's error
 */
export async function insertOnce(
  trx: Runner,
  rows: readonly NewRow[],
  session: Session,
  statementBytes: StatementBytes,
): Promise<AcceptedBefore> {
  const before = new Map<string, StoredCommand>();
  const parts = inParts(rows, bytesOf, await statementBytes.of(trx));
  for (const part of parts) await insertPart(trx, part, session, before);
  return before;
}

const bytesOf = ({ content, headers, channelConfig }: NewRow): number =>
  Buffer.byteLength(content) + Buffer.byteLength(headers ?? '') + Buffer.byteLength(channelConfig ?? '');

async function insertPart(
  trx: Runner,
  rows: readonly NewRow[],
  session: Session,
  before: Map<string, StoredCommand>,
): Promise<void> {
  let open = rows;
  for (let look = 1; open.length > 0; look += 1) {
    try {
      await insertRows(trx, open, session);
      break;
    } catch (error) {
      if (duplicateKey(error) !== 'one_message' || look === LOOKS) throw error;
    }
    for (const stored of await find(trx, open)) before.set(stored.messageId, stored);
    open = open.filter((row) => !isThere(row, before.get(row.messageId)));
  }
}

/** The second look is for a caller's transaction with a snapshot that is older than the row. */
async function find(trx: Runner, rows: readonly NewRow[]): Promise<StoredCommand[]> {
  const messageIds = rows.map(({ messageId }) => messageId);
  const found = await findAccepted(trx, messageIds);
  return found.length > 0 ? found : findAcceptedLocked(trx, messageIds);
}

function isThere(row: NewRow, stored: StoredCommand | undefined): boolean {
  if (stored === undefined) return false;
  if (isSameCommand(row, stored)) return true;
  throw taken(row.messageId);
}

export const taken = (messageId: string): MessageTableError =>
  new MessageTableError('MESSAGE_ID_TAKEN', `Another message has the id ${messageId}`);
