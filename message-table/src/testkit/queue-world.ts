import { createRabbitChannel, type RabbitChannel, type Topology } from '../channels/rabbitmq/index.js';
import { servers, TestBroker } from '../channels/rabbitmq/testing/broker.js';
import type { Effect } from '../consumer/effect.js';
import { createQueueConsuming, type QueueConsuming, type QueueConsumingOptions } from '../queue-consuming.js';
import { ConsumerWorld, RETRY } from './consumer-world.js';
import { eventually } from './eventually.js';
import { TcpProxy } from './tcp-proxy.js';

/** A world with a vhost of its own, and the queue of the tests in it. */
export class QueueWorld implements AsyncDisposable {
  readonly exchange = 'test.exchange';
  readonly queue = 'test.queue';
  readonly deadQueue = 'test.dead';

  private constructor(
    readonly world: ConsumerWorld,
    readonly broker: TestBroker,
    readonly topology: Topology,
  ) {}

  /** @param queueArguments beside those of the contract; the limit is small, so that a test reaches it */
  static async open(queueArguments: Record<string, unknown> = {}): Promise<QueueWorld> {
    const world = await ConsumerWorld.open();
    const broker = await TestBroker.open(servers(process.env), 'consumer');
    return new QueueWorld(world, broker, topologyOf(queueArguments));
  }

  /** One replica of a consuming service, on a pool and connections of its own; not started. */
  replica(effect: Effect, options: Partial<QueueConsumingOptions> = {}): QueueConsuming {
    const { queue, deadQueue, topology } = this;
    return createQueueConsuming({
      ...{ queue, deadQueue, topology, effect },
      db: options.db ?? this.world.fresh.another(),
      amqpUrls: this.broker.url(),
      processName: 'replica',
      retry: RETRY,
      batch: 200,
      prefetch: 400,
      retryingLeaseMs: 30_000,
      redeliveryPollMs: 20,
      deadlineMs: 2_000,
      heartbeatS: 10,
      retentionMs: 604_800_000,
      republishBy: null,
      ...options,
    });
  }

  async run(consuming: QueueConsuming): Promise<QueueConsuming> {
    await this.world.run(consuming.services);
    await eventually(() => consuming.isConsuming());
    return consuming;
  }

  /** A channel to publish through, up. */
  async publisher(): Promise<RabbitChannel> {
    const { topology, world } = this;
    const channel = createRabbitChannel({
      ...{ urls: this.broker.url(), topology, events: world.db.events, connectionName: 'publish' },
      ...{ deadlineMs: 2_000, heartbeatS: 10, attemptTimeoutMs: 2_000 },
    });
    channel.start();
    world.atEnd(() => channel.stop());
    await eventually(() => channel.isUp());
    return channel;
  }

  /** As another program would. */
  publish(messageId: string | undefined, body: Buffer | string = '{}', headers: Record<string, unknown> = {}): void {
    const options = { persistent: true, headers, ...(messageId === undefined ? {} : { messageId }) };
    this.broker.channel.publish(this.exchange, 'key', Buffer.from(body), options);
  }

  /** Resolves when the queue has so many messages that wait. */
  async untilWaiting(count: number, queue = this.queue): Promise<void> {
    await eventually(async () => (await this.broker.messagesIn(queue)) === count);
  }

  /** Resolves when nothing waits and nothing is unacknowledged. */
  async untilEmpty(queue = this.queue): Promise<void> {
    await eventually(async () => (await this.held(queue)) === 0);
  }

  /** Messages in the queue, delivered and unacknowledged ones too: asked of the queue itself, its statistics lag. */
  async held(queue = this.queue): Promise<number> {
    const name = `rabbit_misc:r(<<"${this.broker.address.vhost}">>, queue, <<"${queue}">>)`;
    const query = `ra:local_query(amqqueue:get_pid(Q), fun rabbit_fifo:query_messages_total/1)`;
    return Number(
      await this.broker.ctl('eval', `{ok, Q} = rabbit_amqqueue:lookup(${name}), {ok, {_, N}, _} = ${query}, N.`),
    );
  }

  /** A proxy in front of the broker: cutting it is what the broker sees of a process that was killed. */
  async lineToBroker(): Promise<{ proxy: TcpProxy; amqpUrls: string }> {
    const { hostname: host, port } = this.broker.address;
    const proxy = await TcpProxy.start({ host, port });
    this.world.atEnd(() => proxy.stop());
    return { proxy, amqpUrls: this.broker.url(proxy.listeningPort) };
  }

  /** A proxy in front of the database, and the database's URL behind it. */
  async lineToDatabase(): Promise<{ proxy: TcpProxy; url: string }> {
    const url = new URL(this.world.fresh.url);
    const proxy = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.listeningPort);
    this.world.atEnd(() => proxy.stop());
    return { proxy, url: url.href };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
    await this.broker.close();
  }
}

function topologyOf(queueArguments: Record<string, unknown>): Topology {
  const arguments_ = {
    'x-queue-type': 'quorum',
    'x-delivery-limit': 3,
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': 'test.dead',
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
    ...queueArguments,
  };
  return {
    exchanges: [{ name: 'test.exchange', type: 'direct' }],
    queues: [
      { name: 'test.dead', durable: true, arguments: { 'x-queue-type': 'quorum' } },
      { name: 'test.queue', durable: true, arguments: arguments_ },
    ],
    bindings: [{ queue: 'test.queue', exchange: 'test.exchange', routingKey: 'key' }],
  };
}
