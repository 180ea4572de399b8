import { writeFile } from 'node:fs/promises';
import { amqpUrlAt, BROKER_PASSWORD, BROKER_USER, BrokerAccess, managementUrlAt } from '../broker-access.js';
import { BROKER_LINES, clusterLines } from '../broker-lines.js';
import type { BrokerServer } from '../stack.js';
import type { Watchdog } from '../watchdog.js';
import { ManagedContainer } from './managed-container.js';

export interface BrokerContainerSettings {
  name: string;
  image: string;
  /** Its node is called `rabbit@<hostName>`. */
  hostName: string;
  /** Of all nodes of its cluster, itself included. */
  hostNames: string[];
  cookie: string;
  network: string;
  ports: { amqp: number; management: number | null };
  logFile: string;
  ctlProgram: string;
}

const AMQP_PORT = 5672;

export class BrokerContainer extends ManagedContainer implements BrokerServer {
  readonly port: number;
  readonly peerAddress: string;
  readonly managementUrl: string | null;
  readonly ctlProgram: string;
  private readonly access: BrokerAccess;

  private constructor(settings: BrokerContainerSettings, watchdog: Watchdog) {
    const { name, image, hostName, ports, cookie, network, logFile } = settings;
    const { amqp, management } = ports;
    super(
      { name, url: amqpUrlAt(amqp), logFile },
      {
        ...{ image, hostName, network },
        ports: [
          { container: AMQP_PORT, host: amqp },
          ...(management === null ? [] : [{ container: 15_672, host: management }]),
        ],
        environment: {
          RABBITMQ_DEFAULT_USER: BROKER_USER,
          RABBITMQ_DEFAULT_PASS: BROKER_PASSWORD,
          RABBITMQ_ERLANG_COOKIE: cookie,
        },
        files: [{ target: '/etc/rabbitmq/conf.d/90-counterfoil.conf', content: configuration(settings) }],
        program: ['beam.smp'],
      },
      watchdog,
    );
    this.port = amqp;
    this.peerAddress = `${hostName}:${AMQP_PORT}`;
    this.managementUrl = management === null ? null : managementUrlAt(management);
    this.ctlProgram = settings.ctlProgram;
    this.access = new BrokerAccess({
      url: this.url,
      managementPort: management,
      ctl: (...args) => this.ctl(...args),
    });
  }

  static async create(settings: BrokerContainerSettings, watchdog: Watchdog): Promise<BrokerContainer> {
    const script = `#!/bin/sh\nexec docker exec '${settings.hostName}' rabbitmqctl "$@"\n`;
    await writeFile(settings.ctlProgram, script, { mode: 0o700 });
    return new BrokerContainer(settings, watchdog);
  }

  ctl(...args: string[]): Promise<string> {
    return this.execute(['rabbitmqctl', '--quiet', ...args]);
  }

  flushDeclarations(): Promise<void> {
    return this.access.flushDeclarations();
  }

  createVhost(name: string): Promise<string> {
    return this.access.createVhost(name);
  }

  deleteVhost(name: string): Promise<void> {
    return this.access.deleteVhost(name);
  }

  queueDepth(queue: string, vhost?: string): Promise<number> {
    return this.access.queueDepth(queue, vhost);
  }

  protected override tryOut(): Promise<void> {
    return this.access.tryOut();
  }
}

function configuration({ hostNames }: BrokerContainerSettings): string {
  const cluster = hostNames.length > 1 ? clusterLines(hostNames.map((host) => `rabbit@${host}`)) : [];
  return `${[...BROKER_LINES, ...cluster].join('\n')}\n`;
}
