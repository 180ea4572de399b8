import type { Channel, ConsumeMessage } from 'amqplib';
import { closeReason, lost, type CloseReason } from './close-reason.js';
import { toDelivery, type Delivery } from './delivery.js';
import type { Link } from './link.js';
import { acked, delivered, prefetchOf, slowStart, type SlowStart } from './slow-start.js';
import { UnsettledTags } from './unsettled-tags.js';

export interface ConsumingOptions {
  readonly queue: string;
  readonly prefetch: number;
  /** Deliveries are never handled here but only kept, so none of them can kill the process: no slow start. */
  readonly fullPaceAlways?: boolean;
  readonly onDelivery: (delivery: Delivery) => void;
}

interface Origin {
  readonly tag: number;
  readonly epoch: number;
}

/**
 * One channel with one consumer at most, from its opening to its end. Acks and nacks go to this channel or, once it
 * is closed, nowhere: tags mean something else on the next one.
 */
export class ConsumingChannel {
  readonly whenClosed: Promise<CloseReason>;
  closed = false;
  private readonly origins = new WeakMap<Delivery, Origin>();
  private readonly unsettled = new UnsettledTags();
  private readonly held: Delivery[] = [];
  private state: SlowStart;
  private wanted = false;
  private steering: Promise<void> | null = null;
  private consumer: { readonly tag: string; readonly epoch: number } | null = null;
  private resolveClosed!: (reason: CloseReason) => void;

  constructor(
    private readonly link: Link,
    private readonly channel: Channel,
    private readonly options: ConsumingOptions,
  ) {
    this.state = options.fullPaceAlways === true ? { pace: 'full', epoch: 0 } : slowStart();
    this.whenClosed = new Promise((resolve) => (this.resolveClosed = resolve));
    let ownError: CloseReason | null = null;
    channel.on('error', (error) => (ownError = closeReason(error)));
    channel.on('close', () => queueMicrotask(() => this.end(ownError ?? link.closed ?? lost('channel closed'))));
  }

  isConsuming(): boolean {
    return !this.closed && this.consumer !== null;
  }

  async consume(wanted: boolean): Promise<void> {
    this.wanted = wanted;
    await this.steer();
  }

  /**
   * The ack that speeds the consumer up is told only once the slow one is cancelled, while that has all that it may
   * have: a quorum queue takes back what is on its way to a cancelled consumer and counts it as returned.
   */
  ack(deliveries: readonly Delivery[]): void {
    const before = this.state;
    for (const delivery of deliveries) this.move(acked(this.state, this.facts(delivery)));
    if (this.state === before) return this.settle(deliveries);
    this.held.push(...deliveries);
    void this.steer()
      .catch(() => undefined)
      .then(() => this.releaseHeld());
  }

  deadLetter(delivery: Delivery): void {
    const origin = this.origins.get(delivery);
    if (this.closed || !origin || !this.unsettled.settle(origin.tag)) return;
    this.tell(() => this.channel.nack(tagged(origin.tag), false, false));
  }

  /** Closes the channel after what was acked; unacked deliveries go back to the queue. */
  async close(): Promise<void> {
    this.releaseHeld();
    if (!this.closed) await this.link.leaveChannel(this.channel);
    this.end(lost('closed by this process'));
  }

  private settle(deliveries: readonly Delivery[]): void {
    if (this.closed) return;
    const origins = deliveries.map((delivery) => this.origins.get(delivery)).filter((origin) => origin !== undefined);
    const plan = this.unsettled.ack(origins.map(({ tag }) => tag));
    this.tell(() => {
      if (plan.upTo !== null) this.channel.ack(tagged(plan.upTo), true);
      for (const tag of plan.single) this.channel.ack(tagged(tag));
    });
  }

  private releaseHeld(): void {
    this.settle(this.held.splice(0));
  }

  private facts(delivery: Delivery): { counted: boolean; epoch: number } {
    const counted = delivery.deliveryCount > 0 && this.options.fullPaceAlways !== true;
    return { counted, epoch: this.origins.get(delivery)?.epoch ?? -1 };
  }

  private move(next: SlowStart): void {
    if (next === this.state) return;
    this.state = next;
    // A failure to steer is the channel's end, which `whenClosed` tells.
    this.steer().catch(() => undefined);
  }

  /** One at a time: makes the consumer what is wanted now, until it is. */
  private steer(): Promise<void> {
    if (!this.steering && !this.closed && !this.asWanted()) this.steering = this.steerUntilDone();
    return this.steering ?? Promise.resolve();
  }

  private async steerUntilDone(): Promise<void> {
    try {
      while (!this.closed && !this.asWanted()) {
        if (this.consumer) await this.cancel(this.consumer.tag);
        else await this.begin();
      }
    } finally {
      this.steering = null;
    }
  }

  private asWanted(): boolean {
    return this.wanted ? this.consumer?.epoch === this.state.epoch : this.consumer === null;
  }

  private async cancel(tag: string): Promise<void> {
    await this.link.answer('cancelling a consumer', this.channel.cancel(tag));
    this.consumer = null;
  }

  /** A quorum queue takes the prefetch at the consume only, so another one needs another consumer. */
  private async begin(): Promise<void> {
    const { queue, prefetch } = this.options;
    const { epoch } = this.state;
    await this.link.answer('setting the prefetch', this.channel.prefetch(prefetchOf(this.state, prefetch)));
    const consuming = this.channel.consume(queue, (message) => this.receive(message, epoch));
    const { consumerTag } = await this.link.answer(`consuming ${queue}`, consuming);
    this.consumer = { tag: consumerTag, epoch };
  }

  private receive(message: ConsumeMessage | null, epoch: number): void {
    // The broker cancelled us: the queue, or its leader, is gone.
    if (message === null) return this.cancelled();
    const delivery = toDelivery(this.options.queue, message, () => !this.closed);
    const tag = message.fields.deliveryTag;
    this.unsettled.add(tag);
    this.origins.set(delivery, { tag, epoch });
    this.move(delivered(this.state, this.facts(delivery)));
    this.options.onDelivery(delivery);
  }

  private cancelled(): void {
    this.end(lost(`the broker cancelled the consumer of ${this.options.queue}`));
    void this.link.closeChannel(this.channel);
  }

  /** The broker may have closed the channel a moment ago: then it delivers again. */
  private tell(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (error instanceof Error && error.name === 'IllegalOperationError') return;
      throw error;
    }
  }

  private end(reason: CloseReason): void {
    if (this.closed) return;
    this.closed = true;
    this.consumer = null;
    this.resolveClosed(reason);
  }
}

type Tagged = Parameters<Channel['ack']>[0];

/** amqplib reads nothing but the tag. */
const tagged = (deliveryTag: number): Tagged => ({ fields: { deliveryTag } }) as unknown as Tagged;
