import type { Database } from '../database/database.js';
import { duplicateKey, isDatabaseTrouble } from '../database/error-kinds.js';
import { runInTransaction } from '../database/transaction.js';
import { PermanentError, reasonOf } from '../errors.js';
import type { RetryPolicy } from '../producer/store/retry-policy.js';
import { decideFailure, type ConsumerStatus, type Received } from './consumer-message.js';
import type { Effect, EffectItem } from './effect.js';
import { findKnown, insertFailure, insertSuccess } from './store/notes.js';

/**
 * How the handling of a received message ended. Each but 'unstorable' means that its note is committed, so that
 * the sender may forget it.
 */
export type Ending = 'success' | ConsumerStatus | 'unstorable';

interface Readable {
  readonly received: Received;
  readonly value: unknown;
}

/** Makes an effect happen once per message id: the note and the effect share one transaction. */
export class Inbox {
  constructor(
    private readonly db: Database,
    readonly effect: Effect,
    private readonly retry: RetryPolicy,
  ) {}

  /**
   * Handles messages together; falls back to one by one when one of them spoils the batch.
   *
   * @returns in the order of `messages`. A message that has a note already ends with the note's status: the row,
   *   not the delivery, owns it from then on.
   * @throws the database's own trouble; nothing is known then, and the messages must be kept and handled again
   */
  async handle(messages: readonly Received[]): Promise<Ending[]> {
    const endings = new Map<string, Ending>();
    const startedMs = performance.now();
    const readable = await this.readAll(firstOfEach(messages), endings);
    await this.handleBatch(readable, endings);
    const fresh = [...endings.values()].filter((ending) => ending === 'success').length;
    this.db.events.emit('consumed', {
      consumer: this.effect.name,
      count: fresh,
      duplicates: messages.length - fresh,
      batch: messages.length > 1,
      tookMs: performance.now() - startedMs,
    });
    return messages.map(({ messageId }) => endings.get(messageId) ?? 'unstorable');
  }

  /** Writes a message down as one failed attempt, unless it has a note already. */
  async recordFailure(received: Received, error: unknown): Promise<Ending> {
    const { maxRetryCount, name } = this.effect;
    const to = decideFailure({ retryCount: 0, maxRetryCount }, error instanceof PermanentError);
    const reason = reasonOf(error);
    try {
      await insertFailure(this.db.knex, received, { to, reason }, { maxRetryCount, retry: this.retry });
    } catch (failure) {
      if (isDatabaseTrouble(failure)) throw failure;
      if (duplicateKey(failure) === 'one_effect') return this.statusOf(received);
      return 'unstorable';
    }
    this.db.events.emit('consumeFailed', { consumer: name, messageId: received.messageId, to, attempt: 1, reason });
    return to;
  }

  /** What the broker gave up on becomes a failed attempt here: no message ends in the broker. */
  async recordDeadLetters(messages: readonly Received[]): Promise<Ending[]> {
    const endings: Ending[] = [];
    for (const message of messages) {
      const reason = message.problem ?? 'The broker dead-lettered it: delivered too often without an acknowledgement';
      endings.push(await this.recordFailure(message, message.problem === undefined ? new Error(reason) : new PermanentError(reason)));
    }
    return endings;
  }

  private async statusOf({ messageId }: Received): Promise<Ending> {
    const known = await findKnown(this.db.knex, this.effect.name, [messageId]);
    return known.get(messageId) ?? 'SUCCESS';
  }

  /** What cannot be read is kept as FAILED at once and leaves the batch. */
  private async readAll(messages: readonly Received[], endings: Map<string, Ending>): Promise<Readable[]> {
    const readable: Readable[] = [];
    for (const received of messages) {
      try {
        if (received.problem !== undefined) throw new PermanentError(received.problem);
        readable.push({ received, value: this.effect.read(received) });
      } catch (error) {
        endings.set(received.messageId, await this.recordFailure(received, error));
      }
    }
    return readable;
  }

  private async handleBatch(batch: readonly Readable[], endings: Map<string, Ending>): Promise<void> {
    if (batch.length === 0) return;
    try {
      await this.inOneTransaction(batch, endings).catch((error: unknown) => {
        // Somebody noted one of them after we had looked: look again, once.
        if (duplicateKey(error) !== 'one_effect') throw error;
        return this.inOneTransaction(batch, endings);
      });
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) {
        endings.set(only.received.messageId, await this.recordFailure(only.received, error));
      } else for (const one of batch) await this.handleBatch([one], endings);
    }
  }

  private async inOneTransaction(batch: readonly Readable[], endings: Map<string, Ending>): Promise<void> {
    const result = await runInTransaction(this.db, async (trx) => {
      const known = await findKnown(trx, this.effect.name, batch.map(({ received }) => received.messageId));
      const fresh = batch.filter(({ received }) => !known.has(received.messageId));
      if (fresh.length > 0) {
        await insertSuccess(trx, fresh.map(({ received }) => received), this.effect.maxRetryCount);
        await this.effect.apply(trx, fresh.map(toItem));
      }
      return { known, fresh };
    });
    for (const [messageId, status] of result.known) endings.set(messageId, status);
    for (const { received } of result.fresh) endings.set(received.messageId, 'success');
  }
}

const toItem = ({ received, value }: Readable): EffectItem<unknown> => ({ messageId: received.messageId, value });

/** Without repeats, in the one order in which everybody locks. */
function firstOfEach(messages: readonly Received[]): Received[] {
  const byMessageId = new Map<string, Received>();
  for (const message of messages) if (!byMessageId.has(message.messageId)) byMessageId.set(message.messageId, message);
  return [...byMessageId.values()].sort((a, b) => (a.messageId < b.messageId ? -1 : 1));
}
