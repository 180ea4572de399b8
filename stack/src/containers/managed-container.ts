import { createWriteStream } from 'node:fs';
import { constants } from 'node:os';
import { ManagedServer, type Identity } from '../managed-server.js';
import { findBelow } from '../process-table.js';
import { StackError } from '../stack-error.js';
import type { Watchdog } from '../watchdog.js';
import { addressOf, containerEngine, unlessDone, type Container } from './engine.js';
import { LoopbackContainer } from './loopback-container.js';

export interface Recipe {
  image: string;
  /** Of the container, and its host's name. */
  hostName: string;
  /** Each published on the same port of this machine over all restarts. */
  ports: { container: number; host: number }[];
  environment: Record<string, string>;
  command?: string[];
  files?: { target: string; content: string }[];
  /** The stack's own network, where containers find one another by `hostName`. */
  network: string;
  /** Names of the program that is the server; what else runs in the container only starts it. */
  program: string[];
}

const FIRST_START_MS = 180_000;

/** A server in a container of its own. It is made at the first launch, and the same one is started again later: with its data and ports. */
export abstract class ManagedContainer extends ManagedServer {
  private container: Container | undefined;
  private isPaused = false;
  private isOffNetwork = false;
  private serverPid: number | undefined;

  constructor(
    identity: Identity,
    private readonly recipe: Recipe,
    private readonly watchdog: Watchdog,
  ) {
    super(identity);
  }

  get pid(): number | undefined {
    return this.isRunning() ? this.serverPid : undefined;
  }

  async launch(): Promise<void> {
    this.mustNotRun();
    this.isPaused = false;
    if (this.container) {
      await this.reconnect();
      await this.followLog(this.container);
      await this.container.start();
    } else this.container = await this.create();
    const ended = this.beginRun();
    this.container.wait().then(
      ({ StatusCode }: { StatusCode: number }) => ended(...endingOf(StatusCode)),
      () => ended(null, null),
    );
  }

  /** Default 180 s: an image's first start makes the data folder as well. */
  override async waitUntilReady(timeoutMs = FIRST_START_MS): Promise<void> {
    await super.waitUntilReady(timeoutMs);
    const { State } = await this.made().inspect();
    this.serverPid = findBelow(State.Pid, this.recipe.program);
  }

  async pause(): Promise<void> {
    await this.made().pause();
    this.isPaused = true;
  }

  async resume(): Promise<void> {
    if (!this.isPaused) return;
    this.isPaused = false;
    await unlessDone(this.made().unpause());
  }

  async disconnect(): Promise<void> {
    const network = await this.network();
    await network.disconnect({ Container: this.made().id });
    this.isOffNetwork = true;
  }

  async reconnect(): Promise<void> {
    if (!this.isOffNetwork) return;
    const network = await this.network();
    // Its ports are published anew, by what it was made with: on the same ones.
    await network.connect({ Container: this.made().id });
    this.isOffNetwork = false;
  }

  override async discard(): Promise<void> {
    await super.discard();
    const { container } = await containerEngine();
    await unlessDone(container.getById(this.recipe.hostName).remove({ force: true, v: true }));
  }

  protected override async send(signal: NodeJS.Signals): Promise<void> {
    await unlessDone(this.made().kill({ signal }));
  }

  /** Runs a command in the container. */
  protected async execute(command: string[]): Promise<string> {
    const { container } = await containerEngine();
    const { output, exitCode } = await container.exec(this.made(), command);
    if (exitCode === 0) return output;
    throw new StackError('command-failed', `${command.join(' ')} failed in ${this.name}: ${output.trim()}`);
  }

  private made(): Container {
    if (!this.container) throw new StackError('not-running', `${this.name} has not been started yet.`);
    return this.container;
  }

  private async network() {
    const { container } = await containerEngine();
    return container.dockerode.getNetwork(this.recipe.network);
  }

  private async create(): Promise<Container> {
    const engine = await containerEngine();
    const { image, hostName, ports, environment, command, files = [], network } = this.recipe;
    // Before it is made: we may die at any moment.
    this.watchdog.addContainer(addressOf(engine), hostName);
    const recipe = new LoopbackContainer(image, (id) => this.followLog(engine.container.getById(id)))
      .withName(hostName)
      .withHostname(hostName)
      .withNetworkMode(network)
      .withExposedPorts(...ports)
      .withEnvironment(environment)
      .withCopyContentToContainer(files);
    if (command) recipe.withCommand(command);
    const started = await recipe.start();
    return engine.container.getById(started.getId());
  }

  /** From before its start, so that nothing of the log is missed. */
  private async followLog(container: Container): Promise<void> {
    const output = await container.attach({ stream: true, stdout: true, stderr: true });
    const log = createWriteStream(this.logFile, { flags: 'a' });
    (container.modem as Demultiplexer).demuxStream(output, log, log);
    output.once('end', () => log.end());
    output.once('error', () => log.end());
  }
}

/** Without a terminal, both outputs come on one connection. */
interface Demultiplexer {
  demuxStream(from: NodeJS.ReadableStream, stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): void;
}

/** Above 128 it is the number of the signal that ended it. */
function endingOf(status: number): [code: number | null, signal: NodeJS.Signals | null] {
  const found = Object.entries(constants.signals).find(([, number]) => number === status - 128);
  return found ? [null, found[0] as NodeJS.Signals] : [status, null];
}
