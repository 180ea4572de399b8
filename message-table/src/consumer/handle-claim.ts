import type { Database } from '../database/database.js';
import { runInTransaction } from '../database/transaction.js';
import { PermanentError, reasonOf } from '../errors.js';
import { traceRedelivery, type Attempt } from '../observe/trace-process.js';
import type { RetryPolicy } from '../producer/store/retry-policy.js';
import { isNoFaultOfTheMessage } from './blame.js';
import { decideFailure, type RetryClaim } from './consumer-message.js';
import type { Effect } from './effect.js';
import { markFailure, markSuccess, putOff } from './store/retry-claim.js';

type Handled = 'success' | 'failed' | 'lease-lost';

const TROUBLE_MS = 1_000;

class LeaseLost extends Error {}

/**
 * One owed message under its claim. The database's own trouble, an unanswered COMMIT among it, uses no attempt: the fence
 * tells whether the effect is there.
 *
 * @throws what is no fault of the message, when that cannot be noted either; the claim is still held then
 */
export async function handleOrPutOff(
  tools: ClaimTools,
  claim: RetryClaim,
  effect: Effect,
): Promise<Handled | 'put-off'> {
  try {
    return await handleClaim(tools, claim, effect);
  } catch (error) {
    if (!isNoFaultOfTheMessage(error)) throw error;
    return (await putOff(tools.db, claim, TROUBLE_MS)) === 'done' ? 'put-off' : 'lease-lost';
  }
}

/**
 * As {@link handleOrPutOff}, without putting it off: effect and note in one transaction, or a failed attempt. When the note changed
 * hands meanwhile, the effect is rolled back.
 *
 * @throws what is no fault of the message; the claim is still held then, unless an unanswered COMMIT took
 */
export const handleClaim = (tools: ClaimTools, claim: RetryClaim, effect: Effect): Promise<Handled> =>
  traceRedelivery(claim, (attempt) => handleOnce(tools, claim, effect, attempt));

interface ClaimTools {
  readonly db: Database;
  readonly retry: RetryPolicy;
}

async function handleOnce(tools: ClaimTools, claim: RetryClaim, effect: Effect, attempt: Attempt): Promise<Handled> {
  const { messageId } = claim.received;
  try {
    const value = effect.read(claim.received);
    await runInTransaction(tools.db, async (trx) => {
      if ((await markSuccess(trx, claim)) === 'lease-lost') throw new LeaseLost();
      await effect.apply(trx, [{ messageId, value, trace: attempt.trace }]);
    });
    return 'success';
  } catch (error) {
    if (error instanceof LeaseLost) return 'lease-lost';
    if (isNoFaultOfTheMessage(error)) throw error;
    return writeFailure(tools, claim, error, attempt);
  }
}

async function writeFailure(
  { db, retry }: ClaimTools,
  claim: RetryClaim,
  error: unknown,
  attempt: Attempt,
): Promise<Handled> {
  const to = decideFailure(claim, error instanceof PermanentError);
  const reason = reasonOf(error);
  if ((await markFailure(db, claim, { to, reason }, retry)) === 'lease-lost') return 'lease-lost';
  const { messageId, consumer } = claim.received;
  attempt.failed(to, reason);
  db.events.emit('consumeFailed', { consumer, messageId, to, attempt: claim.retryCount + 1, reason });
  return 'failed';
}
