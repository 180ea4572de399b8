import { join } from 'node:path';

import {
  createEvents,
  readSettings,
  selectRows,
  type MessageTableEvents,
  type Service,
} from '@counterfoil/message-table';
import {
  eventually,
  freePort,
  freshDatabase,
  servers,
  startInOrder,
  stopInReverse,
  TestBroker,
  type FreshDatabase,
} from '@counterfoil/message-table/testkit';
import { pino } from 'pino';
import { Registry } from 'prom-client';

import { orderService } from '../order-service.js';
import { settings } from '../settings.js';

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
  private services: readonly Service[] = [];
  readonly events: MessageTableEvents = createEvents();
  private port = 0;

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
    this.port = await freePort();
    const environment = {
      ORDER_DB_URL: this.fresh.url,
      AMQP_URL: this.broker.url(),
      PORT: String(this.port),
      DB_DEADLINE_MS: '3000',
      ...given,
    };
    const parts = orderService.build({
      processName: 'order-service-test',
      settings: readSettings(settings, [], environment),
      events: this.events,
      registry: new Registry(),
      log: pino({ level: 'silent' }),
    });
    this.services = parts.services;
    await startInOrder(parts.services);
    await eventually(async () => !JSON.stringify((await this.get('/readyz')).body).includes('worker id'));
  }

  /** As SIGTERM does. */
  async stop(): Promise<void> {
    const { services } = this;
    this.services = [];
    await stopInReverse(services);
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
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
