import type { EventEmitter } from 'node:events';

/** `order-2`: a second order database, for set-ups with a shard of orders on each. */
export type DatabaseName = 'order' | 'order-2' | 'inventory';

export type BackendName = 'native' | 'containers';

export interface StackOptions {
  /**
   * Where the servers run: `native` starts this machine's own programs, `containers` the images that DB_IMAGE, BROKER_IMAGE
   * and TOXIPROXY_IMAGE name. Default native when its programs are here, else containers.
   */
  backend?: BackendName;
  /** The broker's node is called `<name>@localhost`; a kept data folder must be started under its old name. Default `counterfoil`. */
  name?: string;
  /** Where native servers keep their data; default: in the stack's own folder under the system's temporary folder. */
  dataFolder?: string;
  /** Leave data and logs of native servers in place when the stack stops. Default false. */
  keepData?: boolean;
  /** The broker's management HTTP API. Default true; an orderly stop of the broker takes 5 s longer with it (RabbitMQ 3.10). */
  management?: boolean;
  /** Which servers to start; default one order database and the inventory's. Asking the stack for one that was left out throws. */
  databases?: DatabaseName[];
  broker?: boolean;
  /** How many nodes the broker's cluster has, named `broker-1`, `broker-2`, …; default 1, which is no cluster and named `broker`. */
  brokerNodes?: number;
  /** Added to the databases' command line, after the defaults, so that they win: `--innodb-buffer-pool-size=1G`. */
  dbArgs?: string[];
}

export interface Stack {
  readonly backend: BackendName;
  readonly orderDb: DatabaseServer;
  readonly inventoryDb: DatabaseServer;
  /** Every order and inventory database by name. */
  database(name: DatabaseName): DatabaseServer;
  /** The first node. */
  readonly broker: BrokerServer;
  /** All nodes of the broker. */
  readonly brokers: readonly BrokerServer[];
  /** Every service started so far, ended ones included, in the order of their start. */
  readonly services: ServiceProcess[];
  /** Everything the stack wrote: logs, and the data unless `dataFolder` says otherwise. */
  readonly folder: string;
  /** Resolves when the service is ready. */
  startService(spec: ServiceSpec): Promise<ServiceProcess>;
  /** The service, not started yet: for those that cannot become ready at once. */
  addService(spec: ServiceSpec): Promise<ServiceProcess>;
  /**
   * A Toxiproxy beside the servers, ready; stopped with them. Null where there is none to start: native servers have no
   * such program, and containers need an image (TOXIPROXY_IMAGE, else the original's where this machine has it).
   */
  startFaultProxy(options: FaultProxyOptions): Promise<FaultProxyServer | null>;
  /**
   * A process of the caller's does not outlive this one, however this one ends. It must lead a group of its own
   * (`detached`), all of which is killed then. @returns what is to be called when it has ended
   */
  guard(pid: number): () => void;
  /** Processes that carry the servers and are none of them, at this moment: the container engine's. */
  helpers(): Helper[];
  /** Services first, then the servers; removes the folder. May be called again. */
  stop(): Promise<void>;
  urls(): StackUrls;
}

export interface FaultProxyOptions {
  /** How many proxies can listen on it. */
  ports: number;
  seed: number;
}

export interface Helper {
  name: string;
  pid: number;
}

/** Null where a server was left out. */
export interface StackUrls {
  orderDb: string | null;
  inventoryDb: string | null;
  /** Those of all nodes, with commas. */
  amqp: string | null;
  amqpManagement: string | null;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** True when `stop`, `kill` or `restart` asked for it. */
  expected: boolean;
}

export interface Managed extends EventEmitter<{ exit: [Exit] }> {
  readonly name: string;
  readonly url: string;
  /** One file over all restarts. */
  readonly logFile: string;
  /** The server's own process, never a wrapper; undefined while it does not run. */
  readonly pid: number | undefined;
  /** The end of the present run, or of the last one; throws before the first. */
  readonly exited: Promise<Exit>;
  /** Starts it without waiting until it is ready. Throws when it runs already. */
  launch(): Promise<void>;
  /** `launch`, then `waitUntilReady`. */
  start(): Promise<void>;
  /** Asks it to end, and makes it end after a deadline. Does nothing when it does not run. */
  stop(): Promise<void>;
  /** Default SIGKILL. Resolves when the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<Exit>;
  /** It keeps its ports and connections and answers nothing: SIGSTOP, or the freezer of its container. */
  pause(): Promise<void>;
  /** Does nothing when it is not paused. */
  resume(): Promise<void>;
  /** Ends it the polite way and starts it again, with the same data, port and log. */
  restart(): Promise<void>;
  /** True when it has just done its work once: answered a query, carried a message, said 200. */
  isReady(): Promise<boolean>;
  /** Throws, with the end of the log, when it exits or the time is over. Default 60 s. */
  waitUntilReady(timeoutMs?: number): Promise<void>;
  isRunning(): boolean;
  /** The last lines of its log, default 40. */
  logs(lines?: number): string;
}

/** A database or a node of the broker. */
export interface Server extends Managed {
  readonly port: number;
  /** `host:port` at which the others of this stack reach it, the fault proxy among them; programs of this machine use `url`. */
  readonly peerAddress: string;
  /**
   * Takes it off its network: it runs on, reaches nobody and is reached by nobody. Whoever was connected from this machine
   * sees the connection end; the server is told nothing, and keeps its side open. Rejects where it is native.
   */
  disconnect(): Promise<void>;
  /** Back on its network, at the same `url`, though its address there may be another. Does nothing when it is not off it. */
  reconnect(): Promise<void>;
}

export interface DatabaseServer extends Server {
  readonly database: string;
}

export interface BrokerServer extends Server {
  readonly managementUrl: string | null;
  /** A program that is rabbitmqctl for this broker, for processes that have no `Stack` in hand. */
  readonly ctlProgram: string;
  /** Runs rabbitmqctl against this broker; resolves with what it prints. Takes about a second. */
  ctl(...args: string[]): Promise<string>;
  /**
   * After this a kill -9 loses no queue declared before. RabbitMQ writes the names of quorum queues to disk only after half a second
   * without a further declaration, however durable they are; one killed before that comes back with a queue that answers nothing.
   */
  flushDeclarations(): Promise<void>;
  /** Resolves with the URL of the new vhost. */
  createVhost(name: string): Promise<string>;
  deleteVhost(name: string): Promise<void>;
  /** Messages ready for delivery (those on their way to a consumer are not counted); rejects when there is no such queue. */
  queueDepth(queue: string, vhost?: string): Promise<number>;
}

/** Its `url` is that of its HTTP API. */
export interface FaultProxyServer extends Managed {
  /** What listens on one of them there, on all interfaces, is reached at the same port of 127.0.0.1. */
  readonly ports: readonly number[];
}

export interface ServiceProcess extends Managed {
  readonly port: number;
}

export interface ServiceSpec {
  name: string;
  /** Path of the JavaScript main file. */
  script: string;
  /** Added to PATH and the like; the rest of our own environment is not passed on. PORT is set by the stack. */
  env: Record<string, string>;
  args?: string[];
  /** For Node itself: `['--require', failPoints]`. */
  nodeArgs?: string[];
  /** Default: a free one, the same over restarts. */
  port?: number;
  /** Default `/readyz`. */
  readyPath?: string;
  cwd?: string;
}
