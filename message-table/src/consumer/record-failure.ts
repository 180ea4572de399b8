import type { Database } from '../database/database.js';
import { duplicateKey, valuesRefused } from '../database/error-kinds.js';
import { PermanentError, reasonOf, toError } from '../errors.js';
import type { RetryPolicy } from '../producer/store/retry-policy.js';
import { isNoFaultOfTheMessage, NotNoted } from './blame.js';
import { decideFailure, type Received } from './consumer-message.js';
import type { Effect } from './effect.js';
import { ended, endedFailing, knownAs, type Ended } from './ending.js';
import type { Gate } from './gate.js';
import { findKnown, insertFailure, insertPutAside } from './store/notes.js';

/** What an inbox and its parts work with. */
export interface InboxTools {
  readonly db: Database;
  readonly effect: Effect;
  readonly retry: RetryPolicy;
  readonly gate: Gate;
}

/**
 * Writes a message down as one failed attempt, unless it has a note already: what the note says stands, even when
 * it was written after the attempt had failed.
 *
 * @throws what is no fault of the message; nothing is known then
 */
export async function recordFailure(tools: InboxTools, received: Received, error: unknown): Promise<Ended> {
  const { db, effect, retry } = tools;
  const { messageId } = received;
  const { maxRetryCount, name: consumer } = effect;
  const to = decideFailure({ retryCount: 0, maxRetryCount }, error instanceof PermanentError);
  const reason = reasonOf(error);
  const other = await noteOnce(tools, received, () =>
    insertFailure(db, received, { to, reason }, { maxRetryCount, retry }),
  );
  if (other !== null) return other;
  db.events.emit('consumeFailed', { consumer, messageId, to, attempt: 1, reason });
  return endedFailing(to, reason);
}

/**
 * Writes a message down as owed, without an attempt, unless it has a note already.
 *
 * @throws what is no fault of the message; nothing is known then
 */
export async function recordPutAside(tools: InboxTools, received: Received, error: unknown): Promise<Ended> {
  const { db, effect, retry } = tools;
  const reason = `put aside, no attempt used: ${reasonOf(error)}`;
  const other = await noteOnce(tools, received, () =>
    insertPutAside(db, received, reason, { maxRetryCount: effect.maxRetryCount, retry }),
  );
  if (other !== null) return other;
  db.events.emit('putAside', { consumer: effect.name, messageId: received.messageId, reason });
  return endedFailing('PENDING_RETRY', reason);
}

/** @returns null when the note was written, else how the message ends without it */
async function noteOnce(tools: InboxTools, received: Received, insert: () => Promise<void>): Promise<Ended | null> {
  if (!(await tools.gate.isStorable(received))) return ended('unstorable');
  try {
    await insert();
    return null;
  } catch (failure) {
    if (duplicateKey(failure) === 'one_effect') return noteOf(tools, received.messageId);
    if (valuesRefused(failure)) return ended('unstorable');
    if (isNoFaultOfTheMessage(failure)) throw failure;
    // A number that is on no list may be an outage, in which every message would be lost; a person should see it.
    const { db, effect } = tools;
    db.events.emit('loopFailed', { loop: `inbox ${effect.name}`, error: toError(failure) });
    throw new NotNoted(failure);
  }
}

/** What the note of a message that is known to have one says. */
export async function noteOf({ db, effect }: InboxTools, messageId: string): Promise<Ended> {
  const found = await findKnown(db.knex, effect.name, [messageId]);
  // Only notes that are done leave the table.
  return knownAs(found.get(messageId) ?? 'SUCCESS');
}
