import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';

import { MESSAGE_TABLE_MIGRATIONS, migrate } from '@counterfoil/message-table';
import { createConnection, type Connection } from 'mysql2/promise';

import { installWitnesses, type DatabaseUrls } from '../witnesses/install.js';

/** Both databases as the services leave them after migrating, with the witnesses in them; on the servers that the environment names. */
export class ServiceDatabases implements AsyncDisposable {
  private constructor(
    readonly urls: DatabaseUrls,
    readonly orders: Connection,
    readonly inventory: Connection,
  ) {}

  static async create(): Promise<ServiceDatabases> {
    const orderDb = await freshDatabase('ORDER_DB_URL', 'order-service');
    const inventoryDb = await freshDatabase('INVENTORY_DB_URL', 'inventory-service');
    await installWitnesses({ orderDbs: [orderDb], inventoryDb });
    const [orders, inventory] = [await createConnection(orderDb), await createConnection(inventoryDb)];
    return new ServiceDatabases({ orderDbs: [orderDb], inventoryDb }, orders, inventory);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of [this.orders, this.inventory]) {
      await connection.query(`DROP DATABASE ${connection.config.database ?? ''}`);
      connection.destroy();
    }
  }

  /** Orders `from` … `to` − 1 of a load, each with its message, all of one product. */
  async placeOrders(run: string, from: number, to: number): Promise<void> {
    await this.orders.query(NUMBERED_ORDERS, [run, from, to]);
    await this.orders.query(NUMBERED_MESSAGES, [from, to]);
  }
}

/** @returns its URL */
async function freshDatabase(variable: string, service: string): Promise<string> {
  const server = new URL(process.env[variable] ?? '');
  const name = `chaos_${randomBytes(6).toString('hex')}`;
  const connection = await createConnection(server.href);
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.end();
  const url = new URL(`/${name}`, server).href;
  await migrate(url, [MESSAGE_TABLE_MIGRATIONS, migrationsOf(service)]);
  return url;
}

const migrationsOf = (service: string): string =>
  join(dirname(require.resolve(`@counterfoil/${service}/package.json`)), 'migrations');

// worker_lease has 1024 rows in every database: enough to count with.
const NUMBERS = `(SELECT a.worker_id + 1024 * b.worker_id AS n FROM worker_lease a JOIN worker_lease b ON b.worker_id < 64) AS numbers`;

const NUMBERED_ORDERS = `
  INSERT INTO orders (id, product_id, quantity, idempotency_key, request_hash, message_id, status, create_time, update_time)
  SELECT 1000 + n, 1, 1 + n MOD 9, CONCAT(?, '-', n), REPEAT('h', 43), CONCAT('m', n), 'CREATED', NOW(3), NOW(3)
    FROM ${NUMBERS} WHERE n >= ? AND n < ?`;

const NUMBERED_MESSAGES = `
  INSERT INTO producer_message
    (id, message_id, task_name, channel, exchange, routing_key, content, status, house_number, next_retry_time, create_time, update_time)
  SELECT 1000 + n, CONCAT('m', n), 'inventory.deduct', 'rabbitmq', 'inventory.exchange', 'inventory.deduct',
         CONCAT('{"orderId":"', 1000 + n, '","productId":1,"quantity":1}'), 'PENDING', n MOD 10, NOW(3), NOW(3), NOW(3)
    FROM ${NUMBERS} WHERE n >= ? AND n < ?`;
