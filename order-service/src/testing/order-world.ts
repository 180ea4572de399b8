import { join } from 'node:path';

import type { MessageTableEvents } from '@counterfoil/message-table';
import { selectRows } from '@counterfoil/message-table/rows';
import {
  eventually,
  freshDatabase,
  RunningProcess,
  servers,
  TestBroker,
  type FreshDatabase,
} from '@counterfoil/message-table/testkit';

import { orderService } from '../order-service.js';

export const MIGRATIONS = join(__dirname, '..', '..', 'migrations');

export interface StoredRow {
  readonly id: string;
  readonly quantity: number;
  readonly idempotencyKey: string | null;
  readonly messageId: string;
}

export interface StoredMessage {
  readonly messageId: string;
  readonly status: string;
  readonly content: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** The real order-service in this process, on a free port, with a database and a vhost of its own. */
export class OrderWorld implements AsyncDisposable {
  private readonly process = new RunningProcess(orderService);

  private constructor(
    readonly fresh: FreshDatabase,
    readonly broker: TestBroker,
  ) {}

  static async open(): Promise<OrderWorld> {
    const [fresh, broker] = await Promise.all([
      freshDatabase([MIGRATIONS]),
      TestBroker.open(servers(process.env), 'orders'),
    ]);
    return new OrderWorld(fresh, broker);
  }

  /** @param given settings beside the ones that name servers; they win */
  async start(given: Record<string, string> = {}): Promise<void> {
    await this.process.start({ ORDER_DB_URL: this.fresh.url, AMQP_URL: this.broker.url(), ...given });
    await eventually(async () => !JSON.stringify((await this.get('/readyz')).body).includes('worker id'));
  }

  stop(): Promise<void> {
    return this.process.stop();
  }

  get events(): MessageTableEvents {
    return this.process.events;
  }

  get url(): string {
    return this.process.url;
  }

  post(order: unknown, key?: string, init: RequestInit = {}): Promise<Answer> {
    return this.send('/orders', {
      method: 'POST',
      body: typeof order === 'string' ? order : JSON.stringify(order),
      ...init,
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(init.headers as Record<string, string> | undefined),
      },
    });
  }

  get(path: string): Promise<Answer> {
    return this.send(path, {});
  }

  private async send(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.url + path, init);
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body };
  }

  orders(): Promise<StoredRow[]> {
    return selectRows(
      this.fresh.db.knex,
      'SELECT id, quantity, idempotency_key AS idempotencyKey, message_id AS messageId FROM orders ORDER BY id',
    );
  }

  messages(): Promise<StoredMessage[]> {
    return selectRows(
      this.fresh.db.knex,
      'SELECT message_id AS messageId, status, content FROM producer_message ORDER BY id',
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.broker.close();
    await this.fresh[Symbol.asyncDispose]();
  }
}
