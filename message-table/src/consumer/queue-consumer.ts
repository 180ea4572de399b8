import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Delivery, Subscription } from '../channels/rabbitmq/index.js';
import { isDatabaseTrouble } from '../database/error-kinds.js';
import { reasonOf, toError } from '../errors.js';
import type { MessageTableEvents } from '../observe/events.js';
import { isUsableKey } from '../producer/command.js';
import type { Service } from '../service/lifecycle.js';
import type { Received } from './consumer-message.js';
import type { Ending } from './inbox.js';

export interface QueueConsumerOptions {
  /** The name of the effect. */
  readonly consumer: string;
  readonly events: MessageTableEvents;
  /** Messages in one transaction at most. */
  readonly batch: number;
  /** Bytes of content in one transaction at most. */
  readonly batchBytes: number;
  /** How long the first delivery of a batch waits for company, ms. */
  readonly lingerMs: number;
  readonly handle: (messages: readonly Received[]) => Promise<readonly Ending[]>;
  /** Made by the caller, so that the deliveries of exactly this subscription come here. */
  readonly subscribe: (onDelivery: (delivery: Delivery) => void) => Subscription;
}

const FIRST_REST_MS = 200;
const LONGEST_REST_MS = 5_000;

/**
 * Takes deliveries of one queue, hands them over in batches, and acknowledges what is committed.
 *
 * While the database is away nothing is acknowledged and nothing is returned: the subscription is cancelled, its
 * unacknowledged deliveries (at most the prefetch) are kept and decided again from the start. Returning them would
 * make the broker deliver them again in a hot loop, and count each return against the queue's delivery limit.
 */
export class QueueConsumer implements Service {
  readonly name: string;
  private readonly subscription: Subscription;
  private readonly waiting: Delivery[] = [];
  private readonly stopping = new AbortController();
  private pumping: Promise<void> | null = null;

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
      if (this.waiting.length < this.options.batch) await pauseUnlessStopped(this.options.lingerMs, signal);
      await this.handleUntilRecorded(this.takeBatch());
    }
  }

  /** A delivery that came back before is handled alone: it may be what broke the batch it was in. */
  private takeBatch(): Delivery[] {
    const batch: Delivery[] = [];
    let bytes = 0;
    for (const delivery of this.waiting.slice(0, this.options.batch)) {
      bytes += delivery.body.length;
      const isAlone = delivery.deliveryCount > 0;
      if (batch.length > 0 && (isAlone || bytes > this.options.batchBytes)) break;
      batch.push(delivery);
      if (isAlone) break;
    }
    this.waiting.splice(0, batch.length);
    return batch;
  }

  private async handleUntilRecorded(batch: readonly Delivery[]): Promise<void> {
    let open = [...batch];
    let together = true;
    for (let restMs = FIRST_REST_MS; ; restMs = Math.min(restMs * 2, LONGEST_REST_MS)) {
      open = open.filter((delivery) => delivery.alive());
      try {
        while (open.length > 0) open = await this.handleSome(open, together ? open.length : 1);
        await this.resumeIfPaused();
        return;
      } catch (error) {
        // A statement that is too large for the server shows as a lost connection: the next try is one by one.
        together = false;
        await this.pauseFor(error);
      }
      await pauseUnlessStopped(restMs, this.stopping.signal);
      if (this.stopping.signal.aborted) return;
    }
  }

  /** @returns the deliveries that are still to be handled */
  private async handleSome(open: readonly Delivery[], count: number): Promise<Delivery[]> {
    const some = open.slice(0, count);
    const endings = await this.options.handle(some.map((delivery) => toReceived(delivery, this.options.consumer)));
    this.subscription.ack(some.filter((_, index) => endings[index] !== 'unstorable'));
    some.forEach((delivery, index) => {
      if (endings[index] === 'unstorable') this.subscription.deadLetter(delivery);
    });
    return open.slice(count);
  }

  private paused = false;

  private async pauseFor(error: unknown): Promise<void> {
    if (!isDatabaseTrouble(error)) this.options.events.emit('loopFailed', { loop: this.name, error: toError(error) });
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

/** A message without a usable id gets one from its body, so that the same poison is kept once. */
export function toReceived(delivery: Delivery, consumer: string): Received {
  const { messageId, body, exchange, routingKey, headers, queue } = delivery;
  const common = { consumer, receivedBy: queue, exchange, routingKey, headers, body };
  if (messageId !== undefined && isUsableKey(messageId)) return { ...common, messageId };
  const hash = createHash('sha256').update(body).digest('base64url');
  return { ...common, messageId: `sha256:${hash}`, problem: 'The message has no usable messageId' };
}
