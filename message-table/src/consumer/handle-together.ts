import { duplicateKey } from '../database/error-kinds.js';
import { runInTransaction } from '../database/transaction.js';
import { PermanentError } from '../errors.js';
import { isNoFaultOfTheMessage } from './blame.js';
import type { Received } from './consumer-message.js';
import { ended, knownAs, type Ended } from './ending.js';
import { noteOf, recordFailure, type InboxTools } from './record-failure.js';
import { findKnown, insertSuccess } from './store/notes.js';

interface Readable {
  readonly received: Received;
  readonly value: unknown;
}

type Endings = Map<string, Ended>;

/**
 * Notes and effects of new messages in one transaction; one by one when one of them spoils the batch.
 *
 * @param messages each message id once, in the one order in which everybody locks
 * @returns by message id
 * @throws what is no fault of a message; what was committed until then is known when they are handled again
 */
export async function handleTogether(tools: InboxTools, messages: readonly Received[]): Promise<Endings> {
  const endings: Endings = new Map();
  const readable: Readable[] = [];
  for (const received of messages) {
    const result = await readOrRecord(tools, received);
    if ('value' in result) readable.push(result);
    else endings.set(received.messageId, result);
  }
  await handleBatch(tools, readable, endings);
  return endings;
}

/** What cannot be read is kept as FAILED at once and leaves the batch; what cannot be kept is not tried. */
async function readOrRecord(tools: InboxTools, received: Received): Promise<Readable | Ended> {
  if (!(await tools.gate.isStorable(received))) return ended('unstorable');
  const problem = await tools.gate.problemOf(received);
  try {
    if (problem !== null) throw new PermanentError(problem);
    return { received, value: tools.effect.read(received) };
  } catch (error) {
    return recordFailure(tools, received, error);
  }
}

async function handleBatch(tools: InboxTools, batch: readonly Readable[], endings: Endings): Promise<void> {
  if (batch.length === 0) return;
  try {
    // A duplicate: somebody noted one of them after we had looked. Look again, once.
    await inOneTransaction(tools, batch, endings).catch((error: unknown) => {
      if (duplicateKey(error) !== 'one_effect') throw error;
      return inOneTransaction(tools, batch, endings);
    });
  } catch (error) {
    if (isNoFaultOfTheMessage(error)) throw error;
    const [only] = batch;
    if (batch.length > 1 || only === undefined) for (const one of batch) await handleBatch(tools, [one], endings);
    else endings.set(only.received.messageId, await endAlone(tools, only.received, error));
  }
}

const endAlone = (tools: InboxTools, received: Received, error: unknown): Promise<Ended> =>
  duplicateKey(error) === 'one_effect' ? noteOf(tools, received.messageId) : recordFailure(tools, received, error);

async function inOneTransaction(
  { db, effect }: InboxTools,
  batch: readonly Readable[],
  endings: Endings,
): Promise<void> {
  const { known, fresh } = await runInTransaction(db, async (trx) => {
    const known = await findKnown(
      trx,
      effect.name,
      batch.map(({ received }) => received.messageId),
    );
    const fresh = batch.filter(({ received }) => !known.has(received.messageId));
    if (fresh.length > 0) {
      await insertSuccess(
        trx,
        fresh.map(({ received }) => received),
        effect.maxRetryCount,
      );
      await effect.apply(trx, fresh.map(toItem));
    }
    return { known, fresh };
  });
  for (const [messageId, status] of known) endings.set(messageId, knownAs(status));
  for (const { received } of fresh) endings.set(received.messageId, ended('success'));
}

const toItem = ({ received: { messageId, trace }, value }: Readable) => ({ messageId, value, trace });
