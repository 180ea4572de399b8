import type { Database } from '../database/database.js';
import { duplicateKey } from '../database/error-kinds.js';
import { runInTransaction } from '../database/transaction.js';
import { PermanentError, reasonOf } from '../errors.js';
import type { RetryPolicy } from '../producer/store/retry-policy.js';
import { isNoFaultOfTheMessage } from './blame.js';
import { decideFailure, type ConsumerStatus, type Received } from './consumer-message.js';
import { DatabaseClock } from './database-clock.js';
import type { Effect, EffectItem } from './effect.js';
import { handleClaim } from './handle-claim.js';
import { createdMsOf, deathOf, redeliveryOf } from './headers.js';
import { fitsStatement, PacketLimit } from './packet-limit.js';
import { findKnown, insertFailure, insertSuccess } from './store/notes.js';
import { claimOfCopy } from './store/retry-claim.js';

/**
 * How the handling of a received message ended. Each but 'unstorable' means that its note is committed, so that
 * the sender may forget it. 'ignored' is a republished copy whose claim is over: the note is the owner.
 */
export type Ending = 'success' | ConsumerStatus | 'ignored' | 'unstorable';

export interface InboxOptions {
  readonly retry: RetryPolicy;
  /** How long notes are kept, ms: an older message may have taken effect already, so it must not any more. */
  readonly retentionMs?: number;
  readonly packetLimit?: PacketLimit;
}

interface Readable {
  readonly received: Received;
  readonly value: unknown;
}

interface Handling {
  /** By message id. */
  readonly endings: Map<string, Ending>;
  /** Of these there were notes before. */
  readonly known: Set<string>;
}

/** Makes an effect happen once per message id: the note and the effect share one transaction. */
export class Inbox {
  private readonly retentionMs: number;
  private readonly packetLimit: PacketLimit;
  private readonly clock: DatabaseClock;

  constructor(
    private readonly db: Database,
    readonly effect: Effect,
    private readonly options: InboxOptions,
  ) {
    this.retentionMs = options.retentionMs ?? Infinity;
    this.packetLimit = options.packetLimit ?? new PacketLimit(db);
    this.clock = new DatabaseClock(db);
  }

  /**
   * Handles messages together; falls back to one by one when one of them spoils the batch.
   *
   * @returns in the order of `messages`. A message that has a note already ends with the note's status: the row,
   *   not the delivery, owns it from then on.
   * @throws the database's own trouble; nothing is known then, and the messages must be kept and handled again
   */
  async handle(messages: readonly Received[]): Promise<Ending[]> {
    const startedMs = performance.now();
    const handling: Handling = { endings: new Map(), known: new Set() };
    const originals = messages.filter(({ headers }) => redeliveryOf(headers) === undefined);
    const first = firstOfEach(originals);
    await this.handleBatch(await this.readAll(first, handling), handling);
    const copies = new Map<Received, Ending>();
    for (const message of messages) {
      const version = redeliveryOf(message.headers);
      if (version !== undefined) copies.set(message, await this.handleCopy(message, version));
    }
    const endings = messages.map((message) => copies.get(message) ?? handling.endings.get(message.messageId) ?? 'unstorable');
    const repeats = originals.length - first.length + handling.known.size;
    this.report(endings, repeats, performance.now() - startedMs);
    return endings;
  }

  /** Writes a message down as one failed attempt, unless it has a note already. */
  async recordFailure(received: Received, error: unknown): Promise<Ending> {
    return this.writeFailure(received, error, { endings: new Map(), known: new Set() });
  }

  /** What the broker gave up on becomes a failed attempt here: no message ends in the broker. */
  async recordDeadLetters(messages: readonly Received[]): Promise<Ending[]> {
    const endings: Ending[] = [];
    for (const message of messages) {
      const why = deathOf(message.headers)?.reason ?? 'reason unknown';
      const problem = message.problem ?? (await this.ageProblem(message));
      const error = problem === null ? new Error(`The broker dead-lettered it: ${why}`) : new PermanentError(problem);
      endings.push(await this.recordFailure(message, error));
    }
    return endings;
  }

  private report(endings: readonly Ending[], duplicates: number, tookMs: number): void {
    const count = endings.filter((ending) => ending === 'success').length;
    this.db.events.emit('consumed', { consumer: this.effect.name, count, duplicates, batch: endings.length > 1, tookMs });
  }

  /** What cannot be read is kept as FAILED at once and leaves the batch. */
  private async readAll(messages: readonly Received[], handling: Handling): Promise<Readable[]> {
    const readable: Readable[] = [];
    for (const received of messages) {
      const value = await this.read(received).catch(async (error: unknown) => {
        if (isNoFaultOfTheMessage(error)) throw error;
        handling.endings.set(received.messageId, await this.writeFailure(received, error, handling));
        return null;
      });
      if (value !== null) readable.push({ received, value: value.read });
    }
    return readable;
  }

  private async read(received: Received): Promise<{ read: unknown }> {
    const problem = received.problem ?? (await this.ageProblem(received));
    if (problem !== null) throw new PermanentError(problem);
    if (!fitsStatement(received, await this.packetLimit.bytes())) throw new TooLarge();
    return { read: this.effect.read(received) };
  }

  /** Its note, if there ever was one, may be archived by now. */
  private async ageProblem({ headers }: Received): Promise<string | null> {
    const createdMs = createdMsOf(headers);
    if (createdMs === undefined || this.retentionMs === Infinity) return null;
    const ageMs = (await this.clock.nowMs()) - createdMs;
    return ageMs > this.retentionMs ? 'too-old: it was accepted longer ago than notes are kept, so it may have taken effect' : null;
  }

  private async writeFailure(received: Received, error: unknown, handling: Handling): Promise<Ending> {
    const { maxRetryCount, name } = this.effect;
    const { messageId } = received;
    const to = decideFailure({ retryCount: 0, maxRetryCount }, error instanceof PermanentError);
    const reason = reasonOf(error);
    if (!fitsStatement(received, await this.packetLimit.bytes())) return 'unstorable';
    try {
      await insertFailure(this.db, received, { to, reason }, { maxRetryCount, retry: this.options.retry });
    } catch (failure) {
      if (isNoFaultOfTheMessage(failure)) throw failure;
      return duplicateKey(failure) === 'one_effect' ? this.statusOf(messageId, handling) : 'unstorable';
    }
    this.db.events.emit('consumeFailed', { consumer: name, messageId, to, attempt: 1, reason });
    return to;
  }

  private async statusOf(messageId: string, { known }: Handling): Promise<Ending> {
    known.add(messageId);
    const found = await findKnown(this.db.knex, this.effect.name, [messageId]);
    return found.get(messageId) ?? 'SUCCESS';
  }

  /** A duplicate on the note is never a failure: somebody noted the message after we had looked. */
  private async handleBatch(batch: readonly Readable[], handling: Handling): Promise<void> {
    if (batch.length === 0) return;
    try {
      await this.inOneTransaction(batch, handling).catch((error: unknown) => {
        if (duplicateKey(error) !== 'one_effect') throw error;
        return this.inOneTransaction(batch, handling);
      });
    } catch (error) {
      if (isNoFaultOfTheMessage(error)) throw error;
      const [only] = batch;
      if (batch.length > 1 || only === undefined) for (const one of batch) await this.handleBatch([one], handling);
      else handling.endings.set(only.received.messageId, await this.endAlone(only.received, error, handling));
    }
  }

  private endAlone(received: Received, error: unknown, handling: Handling): Promise<Ending> {
    if (duplicateKey(error) === 'one_effect') return this.statusOf(received.messageId, handling);
    return this.writeFailure(received, error, handling);
  }

  private async inOneTransaction(batch: readonly Readable[], { endings, known }: Handling): Promise<void> {
    const result = await runInTransaction(this.db, async (trx) => {
      const noted = await findKnown(trx, this.effect.name, batch.map(({ received }) => received.messageId));
      const fresh = batch.filter(({ received }) => !noted.has(received.messageId));
      if (fresh.length > 0) {
        await insertSuccess(trx, fresh.map(({ received }) => received), this.effect.maxRetryCount);
        await this.effect.apply(trx, fresh.map(toItem));
      }
      return { noted, fresh };
    });
    for (const [messageId, status] of result.noted) endings.set(messageId, status);
    for (const messageId of result.noted.keys()) known.add(messageId);
    for (const { received } of result.fresh) endings.set(received.messageId, 'success');
  }

  /** Only the copy of the present claim is handled; the note owns the message, whatever else is under way. */
  private async handleCopy(received: Received, version: number): Promise<Ending> {
    const { messageId, consumer } = received;
    const claim = await claimOfCopy(this.db, received, version);
    if (claim === null) return 'ignored';
    const result = await handleClaim({ db: this.db, retry: this.options.retry }, claim, this.effect);
    this.db.events.emit('redelivered', { consumer, messageId, result });
    if (result === 'lease-lost') this.db.events.emit('leaseLost', { table: 'consumer_message', id: claim.id });
    return result === 'success' ? 'success' : 'ignored';
  }
}

/** No statement can hold it: it is never kept. */
class TooLarge extends Error {}

const toItem = ({ received, value }: Readable): EffectItem<unknown> => ({ messageId: received.messageId, value });

/** Without repeats, in the one order in which everybody locks. */
function firstOfEach(messages: readonly Received[]): Received[] {
  const byMessageId = new Map<string, Received>();
  for (const message of messages) if (!byMessageId.has(message.messageId)) byMessageId.set(message.messageId, message);
  return [...byMessageId.values()].sort((a, b) => (a.messageId < b.messageId ? -1 : 1));
}
