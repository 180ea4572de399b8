import { createEvents, type MessageTableEvents } from '../../../observe/events.js';
import { TcpProxy } from '../../../testkit/tcp-proxy.js';
import type { Outcome } from '../../outcome.js';
import { RabbitConnection } from '../connection.js';
import type { Delivery } from '../delivery.js';
import { createRabbitChannel, type RabbitChannel, type RabbitChannelOptions } from '../publisher.js';
import { subscribe, type Subscription } from '../subscription.js';
import { eventually, nextEvent, randomName, TestBroker, testTopology, type Servers } from './broker.js';

/** What the tests of one file share: a vhost, and the stopping of everything that they started. */
export class RabbitSuite {
  broker!: TestBroker;
  events!: MessageTableEvents;
  private readonly stops: (() => Promise<unknown>)[] = [];

  constructor(servers: Servers) {
    beforeAll(async () => {
      this.broker = await TestBroker.open(servers);
    });
    afterAll(() => this.broker.close());
    beforeEach(() => {
      this.events = createEvents();
    });
    afterEach(async () => {
      for (const stop of this.stops.splice(0)) await stop();
    });
  }

  after(stop: () => Promise<unknown>): void {
    this.stops.push(stop);
  }

  /** A channel that was not started. */
  channel(options: Partial<RabbitChannelOptions> = {}): RabbitChannel {
    const created = createRabbitChannel({
      urls: this.broker.url(),
      topology: testTopology(),
      events: this.events,
      connectionName: `publisher-${randomName()}`,
      attemptTimeoutMs: 2_000,
      deadlineMs: 2_000,
      heartbeatS: 10,
      ...options,
    });
    this.after(() => created.stop());
    return created;
  }

  async upChannel(options: Partial<RabbitChannelOptions> = {}): Promise<RabbitChannel> {
    const created = this.channel(options);
    const up = nextEvent(this.events, 'channelUp');
    created.start();
    await up;
    return created;
  }

  async proxy(): Promise<TcpProxy> {
    const { hostname: host, port } = this.broker.address;
    const line = await TcpProxy.start({ host, port });
    // Stopped first: what talks through it must stop all the same.
    this.stops.unshift(() => line.stop());
    return line;
  }

  async consumer(wishes: ConsumerWishes = {}): Promise<TestConsumer> {
    const consumer = new TestConsumer(this.broker, this.events, wishes);
    this.after(() => consumer.subscription.stop());
    this.after(() => consumer.connection.stop());
    const consuming = nextEvent(this.events, 'consumerResumed');
    consumer.connection.start();
    consumer.subscription.start();
    await consuming;
    return consumer;
  }
}

export interface ConsumerWishes {
  readonly prefetch?: number;
  readonly url?: string;
  readonly autoAck?: boolean;
  readonly heartbeatS?: number;
  readonly queueArguments?: Record<string, unknown>;
}

/** A subscription to a queue of its own, and what it has received. */
export class TestConsumer {
  readonly deliveries: Delivery[] = [];
  readonly connectionName = `consumer-${randomName()}`;
  readonly queue: string;
  readonly connection: RabbitConnection;
  readonly subscription: Subscription;
  lostCount = 0;
  private readonly exchange: string;

  constructor(
    private readonly broker: TestBroker,
    events: MessageTableEvents,
    wishes: ConsumerWishes,
  ) {
    const topology = testTopology(wishes.queueArguments);
    this.queue = topology.queue;
    this.exchange = topology.exchange;
    const { connectionName, queue } = this;
    const { url = broker.url(), heartbeatS = 10, prefetch = 10 } = wishes;
    const settings = { urls: url, connectionName, deadlineMs: 2_000, heartbeatS };
    this.connection = new RabbitConnection({ ...settings, topology, events });
    this.subscription = subscribe({
      ...{ connection: this.connection, queue, prefetch, events, consumer: queue },
      onDelivery: (delivery) => this.receive(delivery, wishes.autoAck ?? false),
      onLost: () => void (this.lostCount += 1),
    });
  }

  publish(...messageIds: string[]): void {
    const headers = { 'x-created': 7 };
    for (const messageId of messageIds) {
      this.broker.channel.publish(this.exchange, 'key', Buffer.from('{}'), { messageId, headers });
    }
  }

  /** The deliveries so far, as soon as there are so many. */
  async received(count: number): Promise<readonly Delivery[]> {
    await eventually(() => this.deliveries.length >= count, `${count} deliveries of ${this.queue}`);
    return this.deliveries;
  }

  /** The first delivery, as soon as it is there. */
  async first(): Promise<Delivery> {
    const [delivery] = await this.received(1);
    if (!delivery) throw new Error('no delivery');
    return delivery;
  }

  ids(): (string | undefined)[] {
    return this.deliveries.map(({ messageId }) => messageId);
  }

  /** When so many messages are ready in the queue, neither delivered nor gone. */
  async ready(count: number): Promise<void> {
    const { broker, queue } = this;
    await eventually(async () => (await broker.messagesIn(queue)) === count, `${count} messages in ${queue}`);
  }

  /** A quorum queue counts a cancelled consumer as long as it holds unacked deliveries. */
  async consumers(count: number): Promise<void> {
    const { broker, queue } = this;
    await eventually(async () => (await broker.consumersOf(queue)) === count, `${count} consumers of ${queue}`);
  }

  private receive(delivery: Delivery, ack: boolean): void {
    this.deliveries.push(delivery);
    if (ack) this.subscription.ack([delivery]);
  }
}

export const kinds = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ kind }) => kind);

export async function tookMs(action: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await action();
  return performance.now() - startedMs;
}
