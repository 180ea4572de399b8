import { setTimeout as sleep } from 'node:timers/promises';

import type { Delivery, Subscription } from '../channels/rabbitmq/index.js';
import { reasonOf, toError } from '../errors.js';
import type { MessageTableEvents } from '../observe/events.js';
import type { Loop } from '../service/loop.js';
import { isNoFaultOfTheMessage } from './blame.js';
import type { Received } from './consumer-message.js';
import type { Ending } from './ending.js';
import { LoneFailures } from './lone-failures.js';

export interface QueueConsumerOptions {
  /** The name of the effect. */
  readonly consumer: string;
  readonly events: MessageTableEvents;
  /** Messages in one transaction at most. */
  readonly batch: number;
  /** Bytes of content in one transaction at most. Never rejects. */
  readonly batchBytes: () => Promise<number>;
  /** How long the first delivery of a batch waits for company, ms. */
  readonly lingerMs: number;
  readonly toReceived: (delivery: Delivery, consumer: string) => Received;
  readonly handle: (messages: readonly Received[]) => Promise<readonly Ending[]>;
  /**
   * What becomes of a message that cannot be kept, or whose handling itself breaks: the queue's dead-letter exchange gets
   * it, or, where there is none behind the queue, it stays in the queue and is held here.
   */
  readonly unstorable: 'dead-letter' | 'hold';
  /** Made by the caller, so that the deliveries of exactly this subscription come here. */
  readonly subscribe: (onDelivery: (delivery: Delivery) => void) => Subscription;
}

const FIRST_REST_MS = 200;
const LONGEST_REST_MS = 5_000;
/**
 * An effect that takes longer will never end (it waits for something that is no statement, whose deadline would end it), and
 * holds up everything behind it. Long enough for a batch whose messages wait for locks one by one; the broker itself gives
 * up after half an hour.
 */
const STUCK_AFTER_MS = 300_000;
/** A connection that was cut is replaced at once; only trouble that lasts is worth another consumer. */
const REPEATS_BEFORE_PAUSE = 1;

/**
 * Takes deliveries of one queue, hands them over in batches, and acknowledges what is committed.
 *
 * While the database is away nothing is acknowledged and nothing is returned: the subscription is cancelled, its
 * unacknowledged deliveries (at most the prefetch) are kept and decided again from the start. Returning them would
 * make the broker deliver them again in a hot loop, and count each return against the queue's delivery limit.
 */
export class QueueConsumer implements Loop {
  readonly name: string;
  private readonly subscription: Subscription;
  private readonly waiting: Delivery[] = [];
  private readonly stopping = new AbortController();
  /** Failures for which the database is not to blame: what takes place before or beside its transaction breaks. */
  private readonly broken = new LoneFailures();
  private pumping: Promise<void> | null = null;
  /** Infinity while nothing is being handled. */
  private handlingSinceMs = Infinity;

  constructor(private readonly options: QueueConsumerOptions) {
    this.name = `consumer ${options.consumer}`;
    this.subscription = options.subscribe((delivery) => {
      this.waiting.push(delivery);
      this.pumping ??= this.pump().finally(() => (this.pumping = null));
    });
  }

  start(): Promise<void> {
    this.subscription.start();
    return Promise.resolve();
  }

  isTurning(): boolean {
    return performance.now() - this.handlingSinceMs < STUCK_AFTER_MS;
  }

  isConsuming(): boolean {
    return this.subscription.isConsuming();
  }

  /** What is being handled is finished and acknowledged; what waits goes back to the queue with the channel. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.pumping;
    await this.subscription.stop();
  }

  private async pump(): Promise<void> {
    const { signal } = this.stopping;
    while (this.waiting.length > 0 && !signal.aborted) {
      if (this.mayGrow()) await pauseUnlessStopped(this.options.lingerMs, signal);
      await this.handleUntilRecorded(this.takeBatch(await this.options.batchBytes()));
    }
  }

  private mayGrow(): boolean {
    return this.waiting[0]?.deliveryCount === 0 && this.waiting.length < this.options.batch;
  }

  /** A delivery that came back before is handled alone: it may be what broke the batch it was in. */
  private takeBatch(batchBytes: number): Delivery[] {
    const batch: Delivery[] = [];
    let bytes = 0;
    for (const delivery of this.waiting.slice(0, this.options.batch)) {
      bytes += delivery.body.length;
      const isAlone = delivery.deliveryCount > 0;
      if (batch.length > 0 && (isAlone || bytes > batchBytes)) break;
      batch.push(delivery);
      if (isAlone) break;
    }
    this.waiting.splice(0, batch.length);
    return batch;
  }

  private async handleUntilRecorded(batch: readonly Delivery[]): Promise<void> {
    let open = [...batch];
    let together = true;
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      open = open.filter((delivery) => delivery.alive());
      try {
        while (open.length > 0) {
          open = await this.handleSome(open, together ? open.length : 1);
          failures = 0;
          this.broken.tookEffect();
        }
        await this.resumeIfPaused();
        return;
      } catch (error) {
        const [first, ...others] = open;
        const isAlone = !together || others.length === 0;
        if (isAlone && first !== undefined && this.isBroken(first, error)) {
          this.turnAway(first, `Its handling breaks (${reasonOf(error)})`);
          open = others;
          continue;
        }
        // What failed alone goes behind the others, which it may be the only one to hold up.
        if (!together) open = [...open.slice(1), ...open.slice(0, 1)];
        // A statement that is too large for the server shows as a lost connection: the next try is one by one.
        together = false;
        await this.restAfter(error, failures);
        failures += 1;
      }
    }
  }

  /** As with the database's own trouble: a message is told from everybody by failing alone while others do not. */
  private isBroken({ messageId, deliveryCount, body }: Delivery, error: unknown): boolean {
    const key = JSON.stringify([messageId, deliveryCount, body.length]);
    if (isNoFaultOfTheMessage(error) || !this.broken.failedAgain(key)) return false;
    this.broken.putAside(key);
    return true;
  }

  private async restAfter(error: unknown, failures: number): Promise<void> {
    if (!isNoFaultOfTheMessage(error)) this.report(error);
    if (failures >= REPEATS_BEFORE_PAUSE) await this.pauseFor(error);
    await pauseUnlessStopped(Math.min(FIRST_REST_MS * 2 ** failures, LONGEST_REST_MS), this.stopping.signal);
  }

  /** @returns the deliveries that are still to be handled */
  private async handleSome(open: readonly Delivery[], count: number): Promise<Delivery[]> {
    const some = open.slice(0, count);
    const { consumer, toReceived, handle } = this.options;
    this.handlingSinceMs = performance.now();
    const endings = await handle(some.map((delivery) => toReceived(delivery, consumer))).finally(() => {
      this.handlingSinceMs = Infinity;
    });
    this.subscription.ack(some.filter((_, index) => endings[index] !== 'unstorable'));
    for (const delivery of some.filter((_, index) => endings[index] === 'unstorable'))
      this.turnAway(delivery, 'The database cannot hold it');
    return open.slice(count);
  }

  private turnAway(delivery: Delivery, why: string): void {
    const { queue, messageId = 'without an id', body } = delivery;
    const which = `${why}: message ${messageId} of ${String(body.length)} bytes`;
    if (this.options.unstorable === 'dead-letter') {
      this.report(new Error(`${which} is dead-lettered from ${queue}`));
      this.subscription.deadLetter(delivery);
    } else this.report(new Error(`${which} stays in ${queue} until a person takes it out`));
  }

  private report(error: unknown): void {
    this.options.events.emit('loopFailed', { loop: this.name, error: toError(error) });
  }

  private paused = false;

  private async pauseFor(error: unknown): Promise<void> {
    if (this.paused) return;
    this.paused = true;
    await this.subscription.pause(reasonOf(error));
  }

  private async resumeIfPaused(): Promise<void> {
    if (!this.paused) return;
    this.paused = false;
    await this.subscription.resume();
  }
}

const pauseUnlessStopped = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
