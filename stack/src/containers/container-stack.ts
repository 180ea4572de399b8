import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { reserve } from '../ports.js';
import { DATABASES, ServerStack, startOrClearUp, type Backend, type StackPlace } from '../server-stack.js';
import type { DatabaseName, FaultProxyOptions, Stack, StackOptions } from '../stack.js';
import { StackError } from '../stack-error.js';
import { Watchdog } from '../watchdog.js';
import { BrokerContainer } from './broker-container.js';
import { DatabaseContainer } from './database-container.js';
import { addressOf, containerEngine, engineProcesses, unlessDone } from './engine.js';
import { FaultProxyContainer, faultProxyImage } from './fault-proxy-container.js';

/** What DB_IMAGE and BROKER_IMAGE fall back to. */
const DB_IMAGE = 'mysql:9.7';
const BROKER_IMAGE = 'rabbitmq:4.3-management';

export async function startContainerStack(options: StackOptions): Promise<Stack> {
  if (options.keepData || options.dataFolder !== undefined)
    throw new StackError('not-in-this-stack', 'Only native servers keep their data (dataFolder, keepData).');
  await containerEngine();
  const ports = reserve();
  const place = { ports, options, watchdog: new Watchdog([ports.folder]) };
  return startOrClearUp(new ServerStack(place, new ContainerBackend(place)));
}

class ContainerBackend implements Backend {
  readonly name = 'containers';
  readonly helpers = engineProcesses;
  private network: Promise<string> | undefined;

  constructor(private readonly place: StackPlace) {}

  async database(name: DatabaseName): Promise<DatabaseContainer> {
    const { ports, options, watchdog } = this.place;
    const settings = {
      name: `${name}-db`,
      image: process.env['DB_IMAGE'] ?? DB_IMAGE,
      hostName: this.hostName(`${name}-db`),
      network: await this.commonNetwork(),
      database: DATABASES[name],
      port: await ports.takePort(),
      args: options.dbArgs ?? [],
      logFile: join(ports.folder, `${name}-db.log`),
    };
    return new DatabaseContainer(settings, watchdog);
  }

  async brokers(): Promise<BrokerContainer[]> {
    const { ports, options, watchdog } = this.place;
    const { brokerNodes = 1 } = options;
    const names = brokerNodes === 1 ? ['broker'] : Array.from({ length: brokerNodes }, (_, n) => `broker-${n + 1}`);
    const common = {
      image: process.env['BROKER_IMAGE'] ?? BROKER_IMAGE,
      hostNames: names.map((name) => this.hostName(name)),
      cookie: randomBytes(20).toString('hex'),
      network: await this.commonNetwork(),
    };
    const servers: BrokerContainer[] = [];
    for (const name of names) {
      const hasManagement = servers.length === 0 && (options.management ?? true);
      const own = {
        ...{ ...common, name, hostName: this.hostName(name) },
        ports: { amqp: await ports.takePort(), management: hasManagement ? await ports.takePort() : null },
        logFile: join(ports.folder, `${name}.log`),
        ctlProgram: join(ports.folder, `${name}-ctl`),
      };
      servers.push(await BrokerContainer.create(own, watchdog));
    }
    return servers;
  }

  async faultProxy({ ports: count, seed }: FaultProxyOptions): Promise<FaultProxyContainer | null> {
    const image = await faultProxyImage(await containerEngine());
    if (image === null) return null;
    const { ports, watchdog } = this.place;
    const apiPort = await ports.takePort();
    const listening: number[] = [];
    while (listening.length < count) listening.push(await ports.takePort());
    const settings = {
      ...{ image, seed, apiPort, ports: listening },
      hostName: this.hostName('fault-proxy'),
      network: await this.commonNetwork(),
      logFile: join(ports.folder, 'fault-proxy.log'),
    };
    return new FaultProxyContainer(settings, watchdog);
  }

  async release(): Promise<void> {
    const network = await this.network?.catch(() => undefined);
    if (network === undefined) return;
    const { container } = await containerEngine();
    await unlessDone(container.dockerode.getNetwork(network).remove());
  }

  foldersToRemove(): string[] {
    return [this.place.ports.folder];
  }

  /** Unique on this machine, because the folder is. */
  private hostName(server: string): string {
    return `${basename(this.place.ports.folder)}-${server}`;
  }

  private commonNetwork(): Promise<string> {
    this.network ??= this.makeNetwork();
    return this.network;
  }

  private async makeNetwork(): Promise<string> {
    const engine = await containerEngine();
    const name = this.hostName('network');
    this.place.watchdog.addNetwork(addressOf(engine), name);
    await engine.container.dockerode.createNetwork({ Name: name });
    return name;
  }
}
