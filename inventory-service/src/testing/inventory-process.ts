import { DEDUCT } from '@counterfoil/contracts';
import type { MessageTableEvents } from '@counterfoil/message-table';
import { selectRows } from '@counterfoil/message-table/rows';
import { ConsumerWorld, eventually, RunningProcess, servers, TestBroker } from '@counterfoil/message-table/testkit';

import { inventoryService } from '../inventory-service.js';
import { putProduct } from '../products-store.js';
import { MIGRATIONS } from './inventory-world.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface StoredNote {
  readonly receivedBy: string;
  readonly headers: Record<string, unknown>;
  readonly content: string;
  readonly encoding: string;
}

/** The real inventory-service in this process, on a free port, with a database and a vhost of its own. */
export class InventoryProcess implements AsyncDisposable {
  private readonly process = new RunningProcess(inventoryService);

  private constructor(
    readonly world: ConsumerWorld,
    readonly broker: TestBroker,
  ) {}

  static async open(): Promise<InventoryProcess> {
    const [world, broker] = await Promise.all([
      ConsumerWorld.open([MIGRATIONS]),
      TestBroker.open(servers(process.env), 'inventory'),
    ]);
    return new InventoryProcess(world, broker);
  }

  /** @param given settings beside the ones that name servers; they win */
  async start(given: Record<string, string> = {}): Promise<void> {
    await this.process.start({ INVENTORY_DB_URL: this.world.fresh.url, AMQP_URL: this.broker.url(), ...given });
    await eventually(async () => (await fetch(`${this.url}/readyz`)).ok);
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

  putProduct(stock: number, id = 1): Promise<void> {
    return putProduct(this.world.db.knex, { id, name: `product ${String(id)}`, stock });
  }

  async stock(id = 1): Promise<unknown> {
    const [row] = await selectRows<{ stock: string }>(this.world.db.knex, 'SELECT stock FROM product WHERE id = ?', [
      id,
    ]);
    return row?.stock;
  }

  async decisions(): Promise<number> {
    return (await selectRows(this.world.db.knex, 'SELECT id FROM producer_message')).length;
  }

  /** The way in over HTTP. */
  async deduct(key: string | undefined, body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.url}/deductions`, {
      method: 'POST',
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  }

  /** The way in through the queue. */
  publish(messageId: string, body: string): void {
    const { exchange, routingKey } = DEDUCT;
    this.broker.channel.publish(exchange, routingKey, Buffer.from(body), { persistent: true, messageId });
  }

  async storedNote(messageId: string): Promise<StoredNote> {
    const [row] = await selectRows<Omit<StoredNote, 'headers'> & { headers: string }>(
      this.world.db.knex,
      `SELECT received_by AS receivedBy, headers, content, content_encoding AS encoding
         FROM consumer_message WHERE message_id = ?`,
      [messageId],
    );
    if (row === undefined) throw new Error(`There is no note of ${messageId}`);
    return { ...row, headers: JSON.parse(row.headers) as Record<string, unknown> };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.broker.close();
    await this.world[Symbol.asyncDispose]();
  }
}
