import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ManagedServer } from './managed-server.js';
import type { Reservation } from './ports.js';
import { NodeServiceProcess } from './service-process.js';
import type {
  BackendName,
  BrokerServer,
  DatabaseName,
  DatabaseServer,
  FaultProxyOptions,
  FaultProxyServer,
  Helper,
  ServiceProcess,
  ServiceSpec,
  Stack,
  StackOptions,
  StackUrls,
} from './stack.js';
import { StackError } from './stack-error.js';
import type { Watchdog } from './watchdog.js';

/** Names of the databases on their servers. */
export const DATABASES: Readonly<Record<DatabaseName, string>> = {
  order: 'orders',
  'order-2': 'orders',
  inventory: 'inventory',
};

export interface StackPlace {
  ports: Reservation;
  watchdog: Watchdog;
  options: StackOptions;
}

/** Where the servers come from. Makes them; they are started and stopped here. */
export interface Backend {
  readonly name: BackendName;
  database(name: DatabaseName): Promise<DatabaseServer & ManagedServer>;
  /** The nodes of one broker. They are started in turn, so that each finds the ones before it. */
  brokers(): Promise<(BrokerServer & ManagedServer)[]>;
  /** Null where it has none. */
  faultProxy(options: FaultProxyOptions): Promise<(FaultProxyServer & ManagedServer) | null>;
  /** What else it made, after the servers have gone. */
  release(): Promise<void>;
  foldersToRemove(): string[];
  helpers(): Helper[];
}

export class ServerStack implements Stack {
  readonly services: ServiceProcess[] = [];
  readonly brokers: (BrokerServer & ManagedServer)[] = [];
  readonly folder: string;
  private readonly databases = new Map<DatabaseName, DatabaseServer & ManagedServer>();
  private readonly faultProxies: ManagedServer[] = [];
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly place: StackPlace,
    private readonly from: Backend,
  ) {
    this.folder = place.ports.folder;
  }

  get backend(): BackendName {
    return this.from.name;
  }

  get orderDb(): DatabaseServer {
    return this.database('order');
  }

  get inventoryDb(): DatabaseServer {
    return this.database('inventory');
  }

  get broker(): BrokerServer {
    const [first] = this.brokers;
    if (!first) throw new StackError('not-in-this-stack', 'This stack was started without a broker.');
    return first;
  }

  database(name: DatabaseName): DatabaseServer {
    const server = this.databases.get(name);
    if (!server) throw new StackError('not-in-this-stack', `This stack was started without the ${name} database.`);
    return server;
  }

  async start(): Promise<void> {
    const { databases = ['order', 'inventory'], broker = true } = this.place.options;
    await mkdir(join(this.folder, 'services'));
    const starts = databases.map((name) => this.startDatabase(name));
    if (broker) starts.push(this.startBrokers());
    const outcomes = await Promise.allSettled(starts);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async addService(spec: ServiceSpec): Promise<ServiceProcess> {
    const { ports, watchdog } = this.place;
    const port = spec.port ?? (await ports.takePort());
    const service = new NodeServiceProcess(spec, port, join(this.folder, 'services', `${spec.name}.log`), watchdog);
    this.services.push(service);
    return service;
  }

  async startService(spec: ServiceSpec): Promise<ServiceProcess> {
    const service = await this.addService(spec);
    await service.start();
    return service;
  }

  urls(): StackUrls {
    return {
      orderDb: this.databases.get('order')?.url ?? null,
      inventoryDb: this.databases.get('inventory')?.url ?? null,
      amqp: this.brokers.length === 0 ? null : this.brokers.map(({ url }) => url).join(','),
      amqpManagement: this.brokers[0]?.managementUrl ?? null,
    };
  }

  async startFaultProxy(options: FaultProxyOptions): Promise<FaultProxyServer | null> {
    const server = await this.from.faultProxy(options);
    if (server === null) return null;
    this.faultProxies.push(server);
    await server.start();
    return server;
  }

  guard(pid: number): () => void {
    const { watchdog } = this.place;
    watchdog.add(pid);
    return () => watchdog.remove(pid);
  }

  helpers(): Helper[] {
    return this.from.helpers();
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopInOrder();
    return this.stopping;
  }

  private async stopInOrder(): Promise<void> {
    for (const service of [...this.services].reverse()) await service.stop();
    const servers = [...this.databases.values(), ...this.brokers];
    await Promise.all(this.faultProxies.map((proxy) => proxy.discard()));
    // Nobody will read data that is about to be removed: an orderly shutdown would only take time.
    await Promise.all(servers.map((server) => (this.place.options.keepData ? server.stop() : server.discard())));
    await this.from.release();
    for (const folder of this.from.foldersToRemove())
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    this.place.watchdog.release();
  }

  private async startDatabase(name: DatabaseName): Promise<void> {
    const server = await this.from.database(name);
    this.databases.set(name, server);
    await server.start();
  }

  private async startBrokers(): Promise<void> {
    this.brokers.push(...(await this.from.brokers()));
    for (const node of this.brokers) await node.start();
  }
}

/** Started, or stopped again with the error that kept it from starting. */
export async function startOrClearUp(stack: ServerStack): Promise<Stack> {
  try {
    await stack.start();
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
