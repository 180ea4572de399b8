import type { MessageTableEvents } from '../../observe/events.js';
import { backoffMs, restMs } from './backoff.js';
import { closeReason, type CloseReason } from './close-reason.js';
import type { RabbitConnection } from './connection.js';
import { ConsumingChannel } from './consuming-channel.js';
import type { Delivery } from './delivery.js';
import type { Link } from './link.js';

export interface SubscribeOptions {
  /** A connection that publishes nothing: on a blocked one acks stay unread. */
  readonly connection: RabbitConnection;
  readonly queue: string;
  /** Deliveries held unacked at full pace. */
  readonly prefetch: number;
  /** Deliveries are only written down here, so none of them can kill the process: no slow start. */
  readonly fullPaceAlways?: boolean;
  readonly events: MessageTableEvents;
  /** Its name in events. */
  readonly consumer: string;
  /** Called in the order of arrival. Must not throw and must not wait. */
  readonly onDelivery: (delivery: Delivery) => void;
  /** The channel is gone: deliveries that are not alive any more come again on the next one. */
  readonly onLost: () => void;
}

/** One consumer on one queue, on a channel of its own, through every loss of the broker. */
export interface Subscription {
  start(): void;
  /** Cancels, and closes the channel after the acks that were given to it. */
  stop(): Promise<void>;
  /** For deliveries that are committed. Those of a closed channel are dropped quietly. */
  ack(deliveries: readonly Delivery[]): void;
  /** Rejects one for good: the queue's dead-letter exchange gets it. */
  deadLetter(delivery: Delivery): void;
  /**
   * Takes no more; unacked deliveries are kept. Lasts across reconnects until {@link resume}. What is on its way at
   * that moment is taken back by a quorum queue and counted as returned, so pause for seconds, not for every error.
   */
  pause(reason: string): Promise<void>;
  resume(): Promise<void>;
  isConsuming(): boolean;
}

/** Register before the connection is started, or any time after. */
export function subscribe(options: SubscribeOptions): Subscription {
  return new RabbitSubscription(options);
}

/** A channel that held this long ended by an event of its own, not by what ended the one before. */
const STEADY_MS = 5_000;

class RabbitSubscription implements Subscription {
  private readonly stopping = new AbortController();
  private channel: ConsumingChannel | null = null;
  private paused = false;
  private started = false;
  private running: Promise<void> = Promise.resolve();
  private wakeUp: () => void = () => undefined;

  constructor(private readonly options: SubscribeOptions) {
    options.connection.onOpen(async () => this.wakeUp());
  }

  start(): void {
    if (this.started) return;
    this.started = true;
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wakeUp();
    await this.channel?.close();
    await this.running;
  }

  ack(deliveries: readonly Delivery[]): void {
    this.channel?.ack(deliveries);
  }

  deadLetter(delivery: Delivery): void {
    this.channel?.deadLetter(delivery);
  }

  async pause(reason: string): Promise<void> {
    if (!this.paused) this.options.events.emit('consumerPaused', { consumer: this.options.consumer, reason });
    this.paused = true;
    await this.channel?.consume(false).catch(() => undefined);
  }

  async resume(): Promise<void> {
    if (this.paused) this.options.events.emit('consumerResumed', { consumer: this.options.consumer });
    this.paused = false;
    await this.channel?.consume(true).catch(() => undefined);
  }

  isConsuming(): boolean {
    return this.channel?.isConsuming() ?? false;
  }

  /** The only place that opens a channel, one after the other: so there is never a second consumer. */
  private async run(): Promise<void> {
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      const link = await this.nextLink();
      if (!link) return;
      const openedMs = performance.now();
      const reason = await this.consumeUntilClosed(link, failures > 0).catch(closeReason);
      this.lose(reason);
      failures = performance.now() - openedMs > STEADY_MS ? 1 : failures + 1;
      // After a lost connection the connection rests; after a lost channel we do.
      if (!link.closed) await restMs(backoffMs(failures), this.stopping.signal);
    }
  }

  /** The open link, or the next one; null when stopped. */
  private async nextLink(): Promise<Link | null> {
    const { connection } = this.options;
    while (!this.stopping.signal.aborted) {
      const link = connection.current();
      if (link) return link;
      await new Promise<void>((resolve) => (this.wakeUp = resolve));
    }
    return null;
  }

  /** What took the channel may have taken the queue: after a failure the topology is declared again. */
  private async consumeUntilClosed(link: Link, declare: boolean): Promise<CloseReason> {
    if (declare) await link.declare(this.options.connection.options.topology);
    const channel = new ConsumingChannel(link, await link.openChannel(), this.options);
    this.channel = channel;
    if (this.stopping.signal.aborted) await channel.close();
    await channel.consume(!this.paused);
    if (channel.isConsuming()) this.options.events.emit('consumerResumed', { consumer: this.options.consumer });
    return channel.whenClosed;
  }

  private lose(reason: CloseReason): void {
    const { events, consumer, onLost } = this.options;
    void this.channel?.close();
    this.channel = null;
    if (!this.stopping.signal.aborted) events.emit('consumerLost', { consumer, reason: reason.text });
    onLost();
  }
}
