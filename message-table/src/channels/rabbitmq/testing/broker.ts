import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { connect, type Channel, type ChannelModel, type GetMessage } from 'amqplib';
import type { MessageTableEventMap, MessageTableEvents } from '../../../observe/events.js';
import type { Outgoing } from '../../channel.js';
import type { Topology } from '../topology.js';
import { parseBrokerUrls, type BrokerAddress } from '../url.js';

const PATIENCE_MS = 20_000;

export interface Servers {
  readonly amqpUrl: string;
  /** The management API, with user and password; without it the suite shares the vhost of the URL. */
  readonly managementUrl: string | undefined;
  /** A command that ends where `rabbitmqctl` takes its arguments. */
  readonly ctl: string | undefined;
}

interface ListedConnection {
  readonly name: string;
  readonly client_properties?: { readonly connection_name?: string };
}

/** What the environment names; throws when there is no broker, because a test that is left out proves nothing. */
export function servers(env: NodeJS.ProcessEnv): Servers {
  const amqpUrl = env['AMQP_URL'];
  if (!amqpUrl) throw new Error('these tests need a broker: AMQP_URL');
  return { amqpUrl, managementUrl: given(env['AMQP_MANAGEMENT_URL']), ctl: given(env['RABBITMQ_CTL']) };
}

const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/** One suite's corner of the broker: a vhost of its own, and an ordinary client beside the code under test. */
export class TestBroker {
  private model!: ChannelModel;
  /** For declaring, publishing and looking; {@link spareChannel} is for what may close it. */
  channel!: Channel;

  private constructor(
    private readonly servers: Servers,
    readonly address: BrokerAddress,
    private readonly ownVhost: boolean,
  ) {}

  static async open(servers: Servers, vhostPrefix = 'test'): Promise<TestBroker> {
    const [given] = parseBrokerUrls(servers.amqpUrl);
    if (!given) throw new Error('no broker address');
    const ownVhost = servers.managementUrl !== undefined;
    const address = ownVhost ? { ...given, vhost: `${vhostPrefix}-${randomName()}` } : given;
    if (ownVhost) await makeVhost(servers, address);
    const broker = new TestBroker(servers, address, ownVhost);
    await broker.connect();
    return broker;
  }

  /** After a restart of the broker, as soon as it lets this client in. */
  async reconnect(): Promise<void> {
    await eventually(
      () =>
        this.connect().then(
          () => true,
          () => false,
        ),
      'the broker to be back',
    );
  }

  private async connect(): Promise<void> {
    const { address } = this;
    this.model = await connect({ ...address, vhost: encodeURIComponent(address.vhost), heartbeat: 0 });
    this.model.on('error', () => undefined);
    this.channel = await this.spareChannel();
  }

  /** The URL of this vhost, on another port when a proxy stands before the broker. */
  url(port = this.address.port): string {
    const { protocol, username, password, hostname, vhost } = this.address;
    const credentials = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
    return `${protocol}://${credentials}@${hostname}:${port}/${encodeURIComponent(vhost)}`;
  }

  async close(): Promise<void> {
    await this.model.close().catch(() => undefined);
    if (this.ownVhost) await this.manage('DELETE', `vhosts/${encodeURIComponent(this.address.vhost)}`);
  }

  async spareChannel(): Promise<Channel> {
    const channel = await this.model.createChannel();
    channel.on('error', () => undefined);
    return channel;
  }

  async messagesIn(queue: string): Promise<number> {
    return (await this.channel.checkQueue(queue)).messageCount;
  }

  async take(queue: string): Promise<GetMessage> {
    const message = await eventually(() => this.channel.get(queue, { noAck: true }), `a message in ${queue}`);
    return message;
  }

  async consumersOf(queue: string): Promise<number> {
    return (await this.channel.checkQueue(queue)).consumerCount;
  }

  /** The names of the open connections of this process that call themselves so. */
  async connectionsNamed(name: string): Promise<string[]> {
    const all = (await this.manage('GET', 'connections')) as ListedConnection[];
    return all.filter((one) => one.client_properties?.connection_name === name).map((one) => one.name);
  }

  /** As an operator does in the management UI. */
  async forceClose(name: string): Promise<void> {
    const found = await eventually(async () => {
      const names = await this.connectionsNamed(name);
      return names.length > 0 && names;
    }, `a connection named ${name}`);
    for (const one of found) await this.manage('DELETE', `connections/${encodeURIComponent(one)}`);
  }

  async manage(method: string, path: string, body?: unknown): Promise<unknown> {
    return manage(this.servers, method, path, body);
  }

  /** As an operator does: the policy also holds for what is in the queue already. */
  async limitQueue(queue: string, messages: number): Promise<void> {
    const policy = { pattern: `^${queue}$`, definition: { 'max-length': messages }, 'apply-to': 'queues' };
    await this.manage('PUT', this.limitPolicy, policy);
  }

  async liftLimit(): Promise<void> {
    await this.manage('DELETE', this.limitPolicy);
  }

  private get limitPolicy(): string {
    return `policies/${encodeURIComponent(this.address.vhost)}/limit`;
  }

  async ctl(...args: string[]): Promise<string> {
    const [command = '', ...before] = (this.servers.ctl ?? '').split(' ');
    return (await promisify(execFile)(command, [...before, ...args])).stdout;
  }
}

async function makeVhost(servers: Servers, { vhost, username }: BrokerAddress): Promise<void> {
  const name = encodeURIComponent(vhost);
  await manage(servers, 'PUT', `vhosts/${name}`);
  const everything = { configure: '.*', write: '.*', read: '.*' };
  await manage(servers, 'PUT', `permissions/${name}/${encodeURIComponent(username)}`, everything);
}

async function manage(servers: Servers, method: string, path: string, body?: unknown): Promise<unknown> {
  const url = new URL(servers.managementUrl ?? '');
  const authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(`${url.origin}/api/${path}`, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
  });
  if (!answer.ok && answer.status !== 404) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.status === 200 ? answer.json() : null;
}

export const randomName = (): string => randomBytes(4).toString('hex');

/** A durable exchange and a quorum queue behind it, with names of their own. */
export function testTopology(
  queueArguments: Record<string, unknown> = {},
): Topology & { queue: string; exchange: string } {
  const exchange = `x-${randomName()}`;
  const queue = `q-${randomName()}`;
  return {
    exchange,
    queue,
    exchanges: [{ name: exchange, type: 'direct' }],
    queues: [{ name: queue, durable: true, arguments: { 'x-queue-type': 'quorum', ...queueArguments } }],
    bindings: [{ queue, exchange, routingKey: 'key' }],
  };
}

let nextId = 1;

export function testMessage(fields: Partial<Outgoing> = {}): Outgoing {
  const id = String(nextId++);
  return {
    id,
    version: 1,
    messageId: `message-${id}`,
    taskName: 'test.task',
    exchange: '',
    routingKey: 'key',
    channelConfig: null,
    content: '{}',
    headers: {},
    createdMs: 1_790_000_000_123,
    ...fields,
  };
}

/** The next event of this name that fits. */
export async function nextEvent<Name extends keyof MessageTableEventMap>(
  events: MessageTableEvents,
  name: Name,
  fits: (facts: MessageTableEventMap[Name][0]) => boolean = () => true,
): Promise<MessageTableEventMap[Name][0]> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const [facts] = (await once(events, name, { signal })) as MessageTableEventMap[Name];
    if (fits(facts)) return facts;
  }
}

/** Asks again until there is a truthy answer: for what the broker tells nobody. */
export async function eventually<T>(ask: () => Promise<T | false> | T | false, what: string): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  while (performance.now() < endMs) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited ${PATIENCE_MS} ms for ${what}`);
}
