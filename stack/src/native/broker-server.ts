import { httpAnswer } from '../http-answer.js';
import { ManagedProcess, type Command } from '../managed-process.js';
import { runCommand } from '../run-command.js';
import type { BrokerServer } from '../stack.js';
import type { Watchdog } from '../watchdog.js';
import {
  BROKER_PASSWORD,
  BROKER_USER,
  brokerEnvironment,
  ctlProgramOf,
  writeBrokerFiles,
  type BrokerSettings,
} from './broker-files.js';
import { roundTrip, withConnection } from './broker-round-trip.js';
import type { NativePrograms } from './find-programs.js';

export class NativeBrokerServer extends ManagedProcess implements BrokerServer {
  readonly port: number;
  readonly managementUrl: string | null;
  readonly ctlProgram: string;

  private constructor(
    private readonly programs: NativePrograms['broker'],
    private readonly settings: BrokerSettings,
    logFile: string,
    watchdog: Watchdog,
  ) {
    const { amqp, management } = settings.ports;
    super({ name: 'broker', url: `amqp://${BROKER_USER}:${BROKER_PASSWORD}@127.0.0.1:${amqp}`, logFile }, watchdog);
    this.port = amqp;
    this.ctlProgram = ctlProgramOf(settings);
    this.managementUrl =
      management === null ? null : `http://${BROKER_USER}:${BROKER_PASSWORD}@127.0.0.1:${management}`;
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

  async flushDeclarations(): Promise<void> {
    await this.ctl('eval', '[dets:sync(Table) || Table <- dets:all()].');
  }

  async createVhost(name: string): Promise<string> {
    if (this.managementUrl === null) {
      await this.ctl('add_vhost', name);
      await this.ctl('set_permissions', '--vhost', name, BROKER_USER, '.*', '.*', '.*');
    } else {
      await this.manage('PUT', `/api/vhosts/${encodeURIComponent(name)}`);
    }
    return `${this.url}/${encodeURIComponent(name)}`;
  }

  async deleteVhost(name: string): Promise<void> {
    if (this.managementUrl === null) await this.ctl('delete_vhost', name);
    else await this.manage('DELETE', `/api/vhosts/${encodeURIComponent(name)}`);
  }

  queueDepth(queue: string, vhost = '/'): Promise<number> {
    return withConnection(`${this.url}/${encodeURIComponent(vhost)}`, async (connection) => {
      const channel = await connection.createChannel();
      // A missing queue closes the channel; checkQueue rejects with the reason.
      channel.on('error', () => undefined);
      return (await channel.checkQueue(queue)).messageCount;
    });
  }

  protected override command(): Command {
    return { file: this.programs.server, args: [], env: brokerEnvironment(this.settings), cwd: this.settings.folder };
  }

  protected override async tryOut(): Promise<void> {
    await roundTrip(this.url);
    if (this.managementUrl !== null) await this.manage('GET', '/api/vhosts');
  }

  private async manage(method: string, path: string): Promise<void> {
    await httpAnswer(`http://127.0.0.1:${this.settings.ports.management}${path}`, {
      method,
      auth: `${BROKER_USER}:${BROKER_PASSWORD}`,
    });
  }
}
