import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { reserve } from '../ports.js';
import { DATABASES, ServerStack, startOrClearUp, type Backend, type StackPlace } from '../server-stack.js';
import type { DatabaseName, Stack, StackOptions } from '../stack.js';
import { Watchdog } from '../watchdog.js';
import type { BrokerSettings } from './broker-files.js';
import { NativeBrokerServer } from './broker-server.js';
import { NativeDatabaseServer } from './database-server.js';
import { Epmd } from './epmd.js';
import { findPrograms } from './find-programs.js';

export async function startNativeStack(options: StackOptions): Promise<Stack> {
  const programs = findPrograms();
  const ports = reserve();
  const folders = foldersOf(ports.folder, options);
  const place = { ports, options, watchdog: new Watchdog(folders) };
  return startOrClearUp(new ServerStack(place, new NativeBackend(place, programs, folders)));
}

const dataFolderOf = (folder: string, { dataFolder }: StackOptions): string => dataFolder ?? join(folder, 'data');

// Not the data folder itself: it is the caller's and may hold more than ours.
function foldersOf(folder: string, options: StackOptions): string[] {
  if (options.keepData) return [];
  const names = [...Object.keys(DATABASES).map((name) => `${name}-db`), ...nodesOf(options).map(({ name }) => name)];
  return [folder, ...names.map((name) => join(dataFolderOf(folder, options), name))];
}

/** `broker`, or `broker-1`, `broker-2`, … for a cluster. */
function nodesOf({ name = 'counterfoil', brokerNodes = 1 }: StackOptions): { name: string; nodeName: string }[] {
  const endings = brokerNodes === 1 ? [''] : Array.from({ length: brokerNodes }, (_, index) => `-${index + 1}`);
  return endings.map((ending) => ({ name: `broker${ending}`, nodeName: `${name}${ending}@localhost` }));
}

class NativeBackend implements Backend {
  readonly name = 'native';
  private readonly dataFolder: string;
  private epmd: Epmd | undefined;

  constructor(
    private readonly place: StackPlace,
    private readonly programs: ReturnType<typeof findPrograms>,
    private readonly folders: string[],
  ) {
    this.dataFolder = dataFolderOf(this.folder, place.options);
  }

  async database(name: DatabaseName): Promise<NativeDatabaseServer> {
    const { ports, watchdog, options } = this.place;
    const settings = {
      name: `${name}-db`,
      database: DATABASES[name],
      folder: this.folder,
      dataFolder: join(this.dataFolder, `${name}-db`),
      port: await ports.takePort(),
      args: options.dbArgs ?? [],
    };
    return NativeDatabaseServer.create(this.programs.database, settings, watchdog);
  }

  async brokers(): Promise<NativeBrokerServer[]> {
    const { watchdog, options, ports } = this.place;
    const epmdPort = await ports.takePort();
    this.epmd = new Epmd(this.programs.broker.epmd, epmdPort, this.folder, watchdog);
    await this.epmd.start();
    const nodes = nodesOf(options);
    const cookie = randomBytes(20).toString('hex');
    const clusterNodes = nodes.map(({ nodeName }) => nodeName);
    const servers: NativeBrokerServer[] = [];
    for (const { name, nodeName } of nodes) {
      const isFirst = servers.length === 0;
      const settings: BrokerSettings = {
        ...{ name, nodeName, clusterNodes, cookie },
        folder: join(this.folder, name),
        dataFolder: join(this.dataFolder, name),
        ports: await this.brokerPorts(epmdPort, isFirst),
      };
      const logFile = join(this.folder, `${name}.log`);
      servers.push(await NativeBrokerServer.create(this.programs.broker, settings, logFile, watchdog));
    }
    return servers;
  }

  faultProxy(): Promise<null> {
    return Promise.resolve(null);
  }

  async release(): Promise<void> {
    await this.epmd?.discard();
  }

  helpers(): [] {
    return [];
  }

  foldersToRemove(): string[] {
    return this.folders;
  }

  private get folder(): string {
    return this.place.ports.folder;
  }

  /** One management API is enough for a cluster. */
  private async brokerPorts(epmd: number, isFirst: boolean): Promise<BrokerSettings['ports']> {
    const { ports, options } = this.place;
    return {
      amqp: await ports.takePort(),
      management: isFirst && (options.management ?? true) ? await ports.takePort() : null,
      epmd,
      distribution: await ports.takePort(),
    };
  }
}
