import { outsideTransactions } from '../database/current-transaction.js';
import type { Database } from '../database/database.js';
import { PermanentError } from '../errors.js';
import { traceTogether } from '../observe/trace-process.js';
import type { RetryPolicy } from '../producer/store/retry-policy.js';
import { assertUsableKey } from '../usable-key.js';
import type { Received } from './consumer-message.js';
import type { Effect } from './effect.js';
import type { Ended, Ending } from './ending.js';
import { Gate } from './gate.js';
import { handleOrPutOff } from './handle-claim.js';
import { handleTogether } from './handle-together.js';
import { deathOf, redeliveryOf } from './headers.js';
import { PacketLimit } from './packet-limit.js';
import { PutAside } from './put-aside.js';
import { recordFailure, type InboxTools } from './record-failure.js';
import { claimOfCopy } from './store/retry-claim.js';

export interface InboxOptions {
  /** How long a failed message waits before its effect is tried again. */
  readonly retry: RetryPolicy;
  /** How long notes are kept, ms: an older message may have taken effect already, so it must not any more. For ever by default. */
  readonly retentionMs?: number;
  /** What one statement can hold; asked of the server unless given. */
  readonly packetLimit?: PacketLimit;
}

/** Makes an effect happen once per message id: the note and the effect share one transaction. */
export class Inbox {
  private readonly tools: InboxTools;
  private readonly aside: PutAside;
  /** Bytes of content in one transaction at most. Never rejects. */
  readonly batchBytes: () => Promise<number>;

  constructor(
    private readonly db: Database,
    readonly effect: Effect,
    { retry, retentionMs = Infinity, packetLimit = new PacketLimit(db) }: InboxOptions,
  ) {
    assertUsableKey(`An effect's name`, effect.name);
    this.tools = { db, effect, retry, gate: new Gate(db, packetLimit, retentionMs) };
    this.aside = new PutAside(this.tools);
    this.batchBytes = () => packetLimit.batchBytes();
  }

  /**
   * Handles messages together; falls back to one by one when one of them spoils the batch. In transactions of its own,
   * also when it is called inside of another: what it returns has been committed.
   *
   * @returns in the order of `messages`. A message that has a note already ends with the note's status: the row,
   *   not the delivery, owns it from then on.
   * @throws the database's own trouble; nothing is known then, and the messages must be kept and handled again. What
   *   meets it alone, again and again, while the database answers, is noted as PENDING_RETRY without an attempt instead.
   */
  handle(messages: readonly Received[]): Promise<Ending[]> {
    return outsideTransactions(() => this.handleAll(messages));
  }

  private async handleAll(messages: readonly Received[]): Promise<Ending[]> {
    const startedMs = performance.now();
    const isCopy = ({ headers }: Received): boolean => redeliveryOf(headers) !== undefined;
    const originals = messages.filter((message) => !isCopy(message));
    const first = firstOfEach(originals);
    const together = await traceTogether(first, (traced) => this.handleNew(traced));
    const copies = new Map<Received, Ending>();
    for (const copy of messages.filter(isCopy)) copies.set(copy, await this.handleCopy(copy));
    const endings = messages.map(
      (message) => copies.get(message) ?? together.get(message.messageId)?.ending ?? 'unstorable',
    );
    const ended = [...together.values()];
    const count = [...ended.map(({ ending }) => ending), ...copies.values()].filter(
      (ending) => ending === 'success',
    ).length;
    if (count > 0) this.aside.tookEffect();
    const duplicates = originals.length - first.length + ended.filter(({ known }) => known).length;
    const tookMs = performance.now() - startedMs;
    this.db.events.emit('consumed', {
      consumer: this.effect.name,
      count,
      duplicates,
      batch: messages.length > 1,
      tookMs,
    });
    return endings;
  }

  private async handleNew(messages: readonly Received[]): Promise<Map<string, Ended>> {
    try {
      return await handleTogether(this.tools, messages);
    } catch (error) {
      const [only, ...others] = messages;
      if (only === undefined || others.length > 0) throw error;
      return new Map([[only.messageId, await this.aside.insteadOf(error, only)]]);
    }
  }

  /** Writes a message down as one failed attempt, unless it has a note already. */
  async recordFailure(received: Received, error: unknown): Promise<Ending> {
    return (await recordFailure(this.tools, received, error)).ending;
  }

  /** What the broker gave up on becomes a failed attempt here: no message ends in the broker. */
  async recordDeadLetters(messages: readonly Received[]): Promise<Ending[]> {
    const endings: Ending[] = [];
    for (const message of messages) {
      const problem = await this.tools.gate.problemOf(message);
      const why = deathOf(message.headers)?.reason ?? 'it does not say why';
      const error = problem === null ? new Error(`The broker dead-lettered it: ${why}`) : new PermanentError(problem);
      endings.push(await this.recordFailure(message, error));
    }
    return endings;
  }

  /** Only the copy of the present claim is handled; the note owns the message, whatever else is under way. */
  private async handleCopy(copy: Received): Promise<Ending> {
    const { messageId, consumer, headers } = copy;
    const claim = await claimOfCopy(this.db, copy, redeliveryOf(headers) ?? -1);
    if (claim === null) return 'ignored';
    const result = await handleOrPutOff(this.tools, claim, this.effect);
    this.db.events.emit('redelivered', { consumer, messageId, result });
    if (result === 'lease-lost') this.db.events.emit('leaseLost', { table: 'consumer_message', id: claim.id });
    return result === 'success' ? 'success' : 'ignored';
  }
}

/** Without repeats, in the one order in which everybody locks. */
function firstOfEach(messages: readonly Received[]): Received[] {
  const byMessageId = new Map<string, Received>();
  for (const message of messages) if (!byMessageId.has(message.messageId)) byMessageId.set(message.messageId, message);
  return [...byMessageId.values()].sort((a, b) => (a.messageId < b.messageId ? -1 : 1));
}
