import { roundTrip, withConnection } from './broker-round-trip.js';
import { httpAnswer } from './http-answer.js';

export const BROKER_USER = 'counterfoil';
export const BROKER_PASSWORD = 'counterfoil';

export const amqpUrlAt = (port: number): string => `amqp://${BROKER_USER}:${BROKER_PASSWORD}@127.0.0.1:${port}`;

export const managementUrlAt = (port: number): string => `http://${BROKER_USER}:${BROKER_PASSWORD}@127.0.0.1:${port}`;

export interface BrokerAddresses {
  url: string;
  /** Port of the management API, where it runs. */
  managementPort: number | null;
  ctl: (...args: string[]) => Promise<string>;
}

/** What can be asked of a broker over its ports and rabbitmqctl, wherever it runs. */
export class BrokerAccess {
  constructor(private readonly at: BrokerAddresses) {}

  async flushDeclarations(): Promise<void> {
    await this.at.ctl('eval', '[dets:sync(Table) || Table <- dets:all()].');
  }

  async createVhost(name: string): Promise<string> {
    const { ctl, managementPort, url } = this.at;
    if (managementPort === null) {
      await ctl('add_vhost', name);
      await ctl('set_permissions', '--vhost', name, BROKER_USER, '.*', '.*', '.*');
    } else {
      await this.manage('PUT', `/api/vhosts/${encodeURIComponent(name)}`);
    }
    return `${url}/${encodeURIComponent(name)}`;
  }

  async deleteVhost(name: string): Promise<void> {
    if (this.at.managementPort === null) await this.at.ctl('delete_vhost', name);
    else await this.manage('DELETE', `/api/vhosts/${encodeURIComponent(name)}`);
  }

  queueDepth(queue: string, vhost = '/'): Promise<number> {
    return withConnection(`${this.at.url}/${encodeURIComponent(vhost)}`, async (connection) => {
      const channel = await connection.createChannel();
      // A missing queue closes the channel; checkQueue rejects with the reason.
      channel.on('error', () => undefined);
      return (await channel.checkQueue(queue)).messageCount;
    });
  }

  /** A message published, confirmed and consumed; and the management API, where it runs. */
  async tryOut(): Promise<void> {
    await roundTrip(this.at.url);
    if (this.at.managementPort !== null) await this.manage('GET', '/api/vhosts');
  }

  private async manage(method: string, path: string): Promise<void> {
    await httpAnswer(`http://127.0.0.1:${this.at.managementPort}${path}`, {
      method,
      auth: `${BROKER_USER}:${BROKER_PASSWORD}`,
    });
  }
}
