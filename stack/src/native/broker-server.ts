import { amqpUrlAt, BrokerAccess, managementUrlAt } from '../broker-access.js';
import { ManagedProcess, type Command } from '../managed-process.js';
import { runCommand } from '../run-command.js';
import type { BrokerServer } from '../stack.js';
import type { Watchdog } from '../watchdog.js';
import { brokerEnvironment, ctlProgramOf, writeBrokerFiles, type BrokerSettings } from './broker-files.js';
import type { NativePrograms } from './find-programs.js';

export class NativeBrokerServer extends ManagedProcess implements BrokerServer {
  readonly port: number;
  readonly peerAddress: string;
  readonly managementUrl: string | null;
  readonly ctlProgram: string;
  private readonly access: BrokerAccess;

  private constructor(
    private readonly programs: NativePrograms['broker'],
    private readonly settings: BrokerSettings,
    logFile: string,
    watchdog: Watchdog,
  ) {
    const { amqp, management } = settings.ports;
    super({ name: settings.name, url: amqpUrlAt(amqp), logFile }, watchdog);
    this.port = amqp;
    this.peerAddress = `127.0.0.1:${amqp}`;
    this.ctlProgram = ctlProgramOf(settings);
    this.managementUrl = management === null ? null : managementUrlAt(management);
    this.access = new BrokerAccess({
      url: this.url,
      managementPort: management,
      ctl: (...args) => this.ctl(...args),
    });
  }

  static async create(
    programs: NativePrograms['broker'],
    settings: BrokerSettings,
    logFile: string,
    watchdog: Watchdog,
  ): Promise<NativeBrokerServer> {
    await writeBrokerFiles(settings, programs.ctl);
    return new NativeBrokerServer(programs, settings, logFile, watchdog);
  }

  ctl(...args: string[]): Promise<string> {
    return runCommand(this.ctlProgram, ['--quiet', ...args]);
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

  protected override command(): Command {
    return { file: this.programs.server, args: [], env: brokerEnvironment(this.settings), cwd: this.settings.folder };
  }

  protected override tryOut(): Promise<void> {
    return this.access.tryOut();
  }
}
