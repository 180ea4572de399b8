import {
  startStack,
  type BackendName,
  type BrokerServer,
  type DatabaseServer,
  type Managed,
  type Server,
  type ServiceProcess,
  type Stack,
} from '@counterfoil/stack';

import type { Link, Plan, Target } from '../plan.js';
import { PASS } from '../recorder/manner.js';
import { Recorder } from '../recorder/recorder.js';
import { bringServersBack, bringServicesBack } from './bring-back.js';
import { FAIL_POINTS_PRELOAD, FailPoints } from './fail-points.js';
import { startFaultProxies, type FaultProxies } from './fault-proxies.js';
import { orderDatabases, specsOf } from './process-specs.js';
import { Unhealed } from './unhealed.js';

export interface WorldOptions {
  /** Modules that are loaded into every process of ours before its own code: sabotage. */
  readonly preloads: readonly string[];
  /** Left out: as the stack chooses. */
  readonly backend?: BackendName;
}

/** Everything that a run breaks and measures: the databases, the broker, the proxies between, and our processes. */
export class World {
  private readonly processes = new Map<Target, ServiceProcess>();
  /** Relays that were stopped because there are to be fewer. */
  private readonly dismissed: ServiceProcess[] = [];
  /** Processes that did not start again, or never became ready, each with why. */
  private lost: ReadonlyMap<Target, string> = new Map();
  private onAdded: (process: Managed) => void = () => undefined;
  readonly failPoints: FailPoints;
  readonly unhealed = new Unhealed();
  /** Null where deductions go through the queue. */
  recorder: Recorder | null = null;

  private constructor(
    readonly plan: Plan,
    readonly stack: Stack,
    readonly proxies: FaultProxies | null,
    private readonly preloads: readonly string[],
  ) {
    this.failPoints = new FailPoints(stack.folder, (target) => this.processes.get(target)?.pid);
  }

  /** @returns when every server and every process is ready */
  static async start(plan: Plan, { preloads, backend }: WorldOptions): Promise<World> {
    const stack = await startStack({
      name: 'chaos',
      databases: [...orderDatabases(plan.world), 'inventory'],
      brokerNodes: plan.world.brokerNodes ?? 1,
      ...(backend === undefined ? {} : { backend }),
    });
    const links: readonly Link[] = plan.world.links;
    let world: World | undefined;
    try {
      const proxies = links.length === 0 ? null : await startFaultProxies(stack, links, plan.seed);
      world = new World(plan, stack, proxies, preloads);
      await world.startProcesses();
      return world;
    } catch (error) {
      // Others are run after this one.
      await (world ?? stack).stop();
      throw error;
    }
  }

  /** A process of ours or a server, by the name that plans use. */
  target(name: Target): Managed {
    const found = this.servers.find((server) => server.name === name) ?? this.processes.get(name);
    if (found === undefined) throw new Error(`This run has no ${name}`);
    return found;
  }

  get services(): ReadonlyMap<Target, ServiceProcess> {
    return this.processes;
  }

  /** Those as well that are no longer wanted: what they have logged belongs to the run. */
  get allServices(): ServiceProcess[] {
    return [...this.processes.values(), ...this.dismissed];
  }

  server(name: Target): Server {
    const found = this.servers.find((server) => server.name === name);
    if (found === undefined) throw new Error(`This run has no server ${name}`);
    return found;
  }

  get servers(): Server[] {
    return [...this.orderDbs, this.stack.inventoryDb, ...this.stack.brokers];
  }

  /** One for each shard. */
  get orderDbs(): DatabaseServer[] {
    return orderDatabases(this.plan.world).map((name) => this.stack.database(name));
  }

  /** A node that runs, as far as one does. */
  get broker(): BrokerServer {
    return this.stack.brokers.find((node) => node.isRunning()) ?? this.stack.broker;
  }

  /** Those that run, and came back when they were asked to. */
  processesUp(): Record<string, boolean> {
    const isUp = (service: ServiceProcess): boolean => service.isRunning() && !this.lost.has(service.name);
    return Object.fromEntries([...this.processes].map(([name, service]) => [name, isUp(service)]));
  }

  relays(): ServiceProcess[] {
    return [...this.processes].filter(([name]) => /^relay-\d+$/.test(name)).map(([, relay]) => relay);
  }

  /** One for each shard. */
  orderServiceUrls(): [string, ...string[]] {
    const others = this.orderDbs.slice(1).map((_, index) => this.target(`order-service-${String(index + 2)}`).url);
    return [this.target('order-service-1').url, ...others];
  }

  /** @param watch is given every server and process there is, and each one that is added later, before it starts */
  watchAll(watch: (one: Managed) => void): void {
    this.onAdded = watch;
    for (const one of [...this.servers, ...this.processes.values()]) watch(one);
  }

  private inventoryUrls(): string[] {
    return [...this.processes].filter(([name]) => name.startsWith('inventory-service')).map(([, { url }]) => url);
  }

  /** Starts relays or stops the last ones, until there are `count` on the order database. */
  async scaleRelays(count: number): Promise<void> {
    const specs = specsOf({ ...this.plan.world, relays: count }, this.stack, this);
    const missing = specs.filter(({ name }) => !this.processes.has(name));
    await Promise.all(missing.map((spec) => this.startProcess(spec)));
    const surplus = this.relays().slice(count);
    await Promise.all(surplus.map((relay) => relay.stop()));
    for (const { name } of surplus) this.processes.delete(name);
    this.dismissed.push(...surplus);
  }

  /**
   * Whatever a fault left broken, dead or halted works again: first what the processes need.
   *
   * @returns processes that do not
   * @throws when a server does not, or a fault stays in force
   */
  async restore(): Promise<string[]> {
    await this.proxies?.healAll();
    this.recorder?.behave(PASS);
    for (const server of this.servers) await server.reconnect();
    await bringServersBack(this.servers);
    await this.unhealed.undoRest();
    this.lost = await bringServicesBack([...this.processes.values()]);
    return [...this.lost].map(([name, why]) => `${name} did not come back: ${why}`);
  }

  /** Our processes are halted meanwhile: what they would archive while it is read would be met twice, or not at all. */
  async whileNothingMoves<T>(work: () => Promise<T>): Promise<T> {
    const halted = [...this.processes.values()].filter((one) => one.isRunning());
    for (const one of halted) await one.pause();
    try {
      return await work();
    } finally {
      for (const one of halted) if (one.isRunning()) await one.resume();
    }
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.proxies?.stop();
    await this.recorder?.close();
  }

  private async startProcesses(): Promise<void> {
    const { world } = this.plan;
    if (world.settings['ORDER_CHANNEL'] === 'http') this.recorder = await Recorder.open(() => this.inventoryUrls());
    await Promise.all(specsOf(world, this.stack, this).map((spec) => this.startProcess(spec)));
  }

  private async startProcess(spec: Parameters<Stack['addService']>[0]): Promise<void> {
    const nodeArgs = [...this.preloads, FAIL_POINTS_PRELOAD].flatMap((file) => ['--require', file]);
    const env = { ...spec.env, ...this.failPoints.environment(spec.name) };
    const added = await this.stack.addService({ ...spec, env, nodeArgs });
    // One that does not start is there as well: it is told as down.
    this.processes.set(spec.name, added);
    this.onAdded(added);
    await added.start();
  }
}
