import { setTimeout as sleep } from 'node:timers/promises';

import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';

import { TapCounts } from './tap-counts.js';

export interface TapRoute {
  readonly exchange: string;
  readonly routingKeys: readonly string[];
  /** The harness's own. */
  readonly queue: string;
}

const PREFETCH = 2_000;
/** One acknowledgement for all before it costs the broker next to nothing. */
const ACK_EVERY_MS = 100;
const LOOK_EVERY_MS = 250;

/** One route of the tap: its queue, and what was seen on it. */
export class TapLine {
  private readonly counts = new TapCounts();
  private channel: Channel | null = null;
  private acking: NodeJS.Timeout | undefined;
  private last: ConsumeMessage | null = null;
  private seen = 0;

  constructor(
    private readonly route: TapRoute,
    private readonly queueType: string,
  ) {}

  get published(): ReadonlyMap<string, number> {
    return this.counts.published;
  }

  async declare(model: ChannelModel): Promise<void> {
    const { exchange, routingKeys, queue } = this.route;
    const channel = await model.createChannel();
    await channel.assertExchange(exchange, 'direct', { durable: true });
    await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': this.queueType } });
    for (const routingKey of routingKeys) await channel.bindQueue(queue, exchange, routingKey);
    await channel.close();
  }

  /** @throws when the queue is not there: made anew it would hide what it lost */
  async attach(model: ChannelModel): Promise<void> {
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    await channel.checkQueue(this.route.queue);
    await channel.prefetch(PREFETCH);
    this.channel = channel;
    this.last = null;
    await channel.consume(this.route.queue, (message) => {
      if (this.channel !== channel) return;
      // null: the broker ended the consumer; a new connection starts another.
      if (message === null) void model.close().catch(() => undefined);
      else this.record(message);
    });
    this.acking = setInterval(() => {
      this.acknowledge();
    }, ACK_EVERY_MS);
  }

  detach(): void {
    clearInterval(this.acking);
    if (this.channel !== null) this.counts.connectionLost();
    this.channel = null;
  }

  /** Resolves when the queue is empty and nothing came between two looks. */
  async drained(timeoutMs: number): Promise<void> {
    const untilMs = performance.now() + timeoutMs;
    while (performance.now() < untilMs) {
      const before = this.seen;
      await sleep(LOOK_EVERY_MS);
      const waiting = await this.channel?.checkQueue(this.route.queue).catch(() => undefined);
      if (waiting?.messageCount === 0 && this.seen === before) return;
    }
    throw new Error(`the queue ${this.route.queue} could not be read to its end in ${String(timeoutMs)} ms`);
  }

  async remove(): Promise<void> {
    this.acknowledge();
    const { channel } = this;
    this.detach();
    await channel?.deleteQueue(this.route.queue);
  }

  private record(message: ConsumeMessage): void {
    const { messageId, headers } = message.properties as { messageId?: string; headers?: Record<string, string> };
    this.counts.record(messageId ?? '', headers?.['x-attempt'] ?? '');
    this.last = message;
    this.seen += 1;
  }

  private acknowledge(): void {
    if (this.last === null) return;
    const { last } = this;
    this.last = null;
    try {
      this.channel?.ack(last, true);
    } catch {
      // The channel has just closed: what was not acknowledged comes again and is recognised.
    }
  }
}
