import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ManagedProcess } from '../managed-process.js';
import { reserve, type Reservation } from '../ports.js';
import { NodeServiceProcess } from '../service-process.js';
import type {
  BrokerServer,
  DatabaseName,
  DatabaseServer,
  ServiceProcess,
  ServiceSpec,
  Stack,
  StackOptions,
  StackUrls,
} from '../stack.js';
import { StackError } from '../stack-error.js';
import { Watchdog } from '../watchdog.js';
import { NativeBrokerServer } from './broker-server.js';
import { NativeDatabaseServer } from './database-server.js';
import { Epmd } from './epmd.js';
import { findPrograms } from './find-programs.js';

const DATABASES = { order: 'orders', inventory: 'inventory' } as const;

export async function startNativeStack(options: StackOptions): Promise<Stack> {
  const stack = new NativeStack(options);
  try {
    await stack.start();
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

class NativeStack implements Stack {
  readonly services: ServiceProcess[] = [];
  readonly folder: string;
  private readonly programs = findPrograms();
  private readonly ports: Reservation;
  private readonly dataFolder: string;
  private readonly watchdog: Watchdog;
  private readonly databases = new Map<DatabaseName, DatabaseServer>();
  private brokerServer: BrokerServer | undefined;
  private epmd: Epmd | undefined;
  private stopping: Promise<void> | undefined;

  constructor(private readonly options: StackOptions) {
    this.ports = reserve();
    this.folder = this.ports.folder;
    this.dataFolder = options.dataFolder ?? join(this.folder, 'data');
    this.watchdog = new Watchdog(this.foldersToRemove());
  }

  get orderDb(): DatabaseServer {
    return this.database('order');
  }

  get inventoryDb(): DatabaseServer {
    return this.database('inventory');
  }

  get broker(): BrokerServer {
    if (!this.brokerServer) throw new StackError('not-in-this-stack', 'This stack was started without a broker.');
    return this.brokerServer;
  }

  async start(): Promise<void> {
    const { databases = ['order', 'inventory'], broker = true } = this.options;
    await mkdir(join(this.folder, 'services'));
    const starts = databases.map((name) => this.startDatabase(name));
    if (broker) starts.push(this.startBroker());
    const outcomes = await Promise.allSettled(starts);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async addService(spec: ServiceSpec): Promise<ServiceProcess> {
    const port = spec.port ?? (await this.ports.takePort());
    const service = new NodeServiceProcess(
      spec,
      port,
      join(this.folder, 'services', `${spec.name}.log`),
      this.watchdog,
    );
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
      amqp: this.brokerServer?.url ?? null,
      amqpManagement: this.brokerServer?.managementUrl ?? null,
    };
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopInOrder();
    return this.stopping;
  }

  private async stopInOrder(): Promise<void> {
    for (const service of [...this.services].reverse()) await service.stop();
    const servers = [...this.databases.values(), ...(this.brokerServer ? [this.brokerServer] : [])];
    // Nobody will read data that is about to be removed: an orderly shutdown would only take time.
    await Promise.all(servers.map((server) => (this.options.keepData ? server.stop() : killIfRunning(server))));
    if (this.epmd) await killIfRunning(this.epmd);
    for (const folder of this.foldersToRemove()) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    this.watchdog.release();
  }

  private async startDatabase(name: DatabaseName): Promise<void> {
    const settings = {
      name: `${name}-db`,
      database: DATABASES[name],
      folder: this.folder,
      dataFolder: join(this.dataFolder, `${name}-db`),
      port: await this.ports.takePort(),
      args: this.options.dbArgs ?? [],
    };
    const server = await NativeDatabaseServer.create(this.programs.database, settings, this.watchdog);
    this.databases.set(name, server);
    await server.start();
  }

  private async startBroker(): Promise<void> {
    const ports = {
      amqp: await this.ports.takePort(),
      management: (this.options.management ?? true) ? await this.ports.takePort() : null,
      epmd: await this.ports.takePort(),
      distribution: await this.ports.takePort(),
    };
    this.epmd = new Epmd(this.programs.broker.epmd, ports.epmd, this.folder, this.watchdog);
    await this.epmd.start();
    const settings = {
      nodeName: `${this.options.name ?? 'counterfoil'}@localhost`,
      folder: join(this.folder, 'broker'),
      dataFolder: join(this.dataFolder, 'broker'),
      ports,
    };
    const server = await NativeBrokerServer.create(
      this.programs.broker,
      settings,
      join(this.folder, 'broker.log'),
      this.watchdog,
    );
    this.brokerServer = server;
    await server.start();
  }

  private database(name: DatabaseName): DatabaseServer {
    const server = this.databases.get(name);
    if (!server) throw new StackError('not-in-this-stack', `This stack was started without the ${name} database.`);
    return server;
  }

  // Not `dataFolder` itself: it is the caller's and may hold more than ours.
  private foldersToRemove(): string[] {
    if (this.options.keepData) return [];
    return [this.folder, ...['order-db', 'inventory-db', 'broker'].map((name) => join(this.dataFolder, name))];
  }
}

async function killIfRunning(server: Pick<ManagedProcess, 'isRunning' | 'kill'>): Promise<void> {
  if (server.isRunning()) await server.kill();
}
