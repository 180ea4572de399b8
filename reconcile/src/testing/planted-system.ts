import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';

import {
  createEvents,
  MESSAGE_TABLE_MIGRATIONS,
  migrate,
  openDatabase,
  type Database,
} from '@counterfoil/message-table';
import { changeRows, firstIdAt, selectRows } from '@counterfoil/message-table/rows';

import type { DatabaseName, Databases } from '../routes.js';

/** How far an order has come; each includes those before it. */
const STAGES = ['accepted', 'sent', 'owed', 'noted', 'decided', 'decision-sent', 'all'] as const;
type Stage = (typeof STAGES)[number];

type Part = 'message' | 'note' | 'decision' | 'decision-note';

export interface OrderPlan {
  readonly upTo: Stage;
  readonly ageS: number;
  readonly outcome: 'CONFIRMED' | 'REJECTED';
  readonly product: 'there' | 'missing';
  readonly archived: readonly Part[];
}

const WHOLE: OrderPlan = { upTo: 'all', ageS: 600, outcome: 'CONFIRMED', product: 'there', archived: [] };

/** Both databases of a system without its processes: rows as these would have left them, with ids that carry their time. */
export class PlantedSystem implements AsyncDisposable {
  private readonly ids = new Map<string, string>();

  private constructor(readonly databases: Databases) {}

  static async create(): Promise<PlantedSystem> {
    const order = await freshDatabase('ORDER_DB_URL', 'order-service');
    const inventory = await freshDatabase('INVENTORY_DB_URL', 'inventory-service');
    await changeRows(inventory.knex, `INSERT INTO product VALUES (1, 'tea', 1000, NOW(3))`);
    return new PlantedSystem({ order, inventory });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const db of Object.values(this.databases)) {
      await db.knex.raw(`DROP DATABASE ${new URL(db.options.url).pathname.slice(1)}`);
      await db.close();
    }
  }

  /** The name that an order was planted under; others are named by themselves. */
  nameOf(id: string | null): string {
    return this.ids.get(id ?? '') ?? id ?? '?';
  }

  /** With a deduction `deduction-<name>` and a decision `decision-<name>`. */
  async order(name: string, change: Partial<OrderPlan> = {}): Promise<void> {
    const plan = { ...WHOLE, ...change };
    const id = this.newId(name, plan.ageS);
    const has = (stage: Stage): boolean => STAGES.indexOf(plan.upTo) >= STAGES.indexOf(stage);
    const status = has('all') ? plan.outcome : 'CREATED';
    const productId = plan.product === 'there' ? 1 : 2;
    await changeRows(this.databases.order.knex, ORDER, [
      id,
      productId,
      status,
      `deduction-${name}`,
      plan.ageS,
      plan.ageS,
    ]);
    const deduction = { orderId: String(id), productId, quantity: 1 };
    await this.message('order', id, `deduction-${name}`, deduction, has('sent') ? 'SENT' : 'PENDING', plan.ageS);
    if (has('owed')) await this.note('inventory', 'inventory.deduct', `deduction-${name}`, has('noted'), plan.ageS);
    const decision = { orderId: String(id), outcome: plan.outcome };
    const decisionSent = has('decision-sent') ? 'SENT' : 'PENDING';
    if (has('decided')) await this.message('inventory', id + 1n, `decision-${name}`, decision, decisionSent, plan.ageS);
    if (has('all')) await this.note('order', 'order.deduction-decided', `decision-${name}`, true, plan.ageS);
    for (const part of plan.archived) await this.archive(part, name);
  }

  /** So many more orders that are like the first one, in every table. */
  async copies(count: number): Promise<void> {
    const { order, inventory } = this.databases;
    const [first] = await selectRows<{ id: string }>(order.knex, 'SELECT MIN(id) AS id FROM orders');
    const id = BigInt(first?.id ?? 0);
    for (const [db, sql] of COPIES) {
      await changeRows((db === 'order' ? order : inventory).knex, sql, [
        count,
        ...(sql.includes('BETWEEN') ? [id, id + 1n] : []),
      ]);
    }
  }

  async deleteOrder(name: string): Promise<void> {
    await changeRows(this.databases.order.knex, 'DELETE FROM orders WHERE message_id = ?', [`deduction-${name}`]);
  }

  async undecide(name: string): Promise<void> {
    const sql = `UPDATE orders SET status = 'CREATED' WHERE message_id = ?`;
    await changeRows(this.databases.order.knex, sql, [`deduction-${name}`]);
  }

  async deleteMessage(database: DatabaseName, messageId: string): Promise<void> {
    await changeRows(this.databases[database].knex, 'DELETE FROM producer_message WHERE message_id = ?', [messageId]);
  }

  async fail(database: DatabaseName, messageId: string): Promise<void> {
    const sql = `UPDATE producer_message SET status = 'FAILED', next_retry_time = NULL, error_msg = '404' WHERE message_id = ?`;
    await changeRows(this.databases[database].knex, sql, [messageId]);
  }

  async failNote(messageId: string): Promise<void> {
    const sql = `UPDATE consumer_message SET status = 'FAILED', next_retry_time = NULL, error_msg = 'no' WHERE message_id = ?`;
    await changeRows(this.databases.inventory.knex, sql, [messageId]);
  }

  strangeNote(messageId: string): Promise<void> {
    return this.note('inventory', 'inventory.deduct', messageId, true, 600);
  }

  /** Copied and not removed. */
  async alsoArchived(part: Part, messageId: string): Promise<void> {
    const [database, table] = PLACES[part];
    const sql = `INSERT INTO ${table}_archive SELECT t.*, NOW(3) FROM ${table} t WHERE message_id = ?`;
    await changeRows(this.databases[database].knex, sql, [messageId]);
  }

  async statusOf(database: DatabaseName, messageId: string): Promise<string | undefined> {
    const sql = 'SELECT status FROM producer_message WHERE message_id = ?';
    const [row] = await selectRows<{ status: string }>(this.databases[database].knex, sql, [messageId]);
    return row?.status;
  }

  private newId(name: string, ageS: number): bigint {
    const id = BigInt(firstIdAt(Date.now() - ageS * 1000)) + 10n * BigInt(this.ids.size);
    this.ids.set(String(id), name);
    return id;
  }

  // eslint-disable-next-line max-params -- the columns of a row
  private async message(
    database: DatabaseName,
    id: bigint,
    messageId: string,
    content: object,
    status: 'SENT' | 'PENDING',
    ageS: number,
  ): Promise<void> {
    const task = database === 'order' ? 'inventory.deduct' : 'order.deduction-decided';
    const bindings = [id, messageId, task, JSON.stringify(content), status, status, ageS, ageS];
    await changeRows(this.databases[database].knex, MESSAGE, bindings);
  }

  // eslint-disable-next-line max-params -- the columns of a row
  private async note(
    database: DatabaseName,
    consumer: string,
    messageId: string,
    isDone: boolean,
    ageS: number,
  ): Promise<void> {
    const status = isDone ? 'SUCCESS' : 'PENDING_RETRY';
    await changeRows(this.databases[database].knex, NOTE, [messageId, consumer, status, status, ageS, ageS]);
  }

  private async archive(part: Part, name: string): Promise<void> {
    const messageId = `${part === 'message' || part === 'note' ? 'deduction' : 'decision'}-${name}`;
    await this.alsoArchived(part, messageId);
    const [database, table] = PLACES[part];
    await changeRows(this.databases[database].knex, `DELETE FROM ${table} WHERE message_id = ?`, [messageId]);
  }
}

const PLACES: Readonly<Record<Part, readonly [DatabaseName, string]>> = {
  message: ['order', 'producer_message'],
  note: ['inventory', 'consumer_message'],
  decision: ['inventory', 'producer_message'],
  'decision-note': ['order', 'consumer_message'],
};

const ORDER = `
  INSERT INTO orders (id, product_id, quantity, status, request_hash, message_id, create_time, update_time)
  VALUES (?, ?, 1, ?, REPEAT('h', 43), ?, NOW(3) - INTERVAL ? SECOND, NOW(3) - INTERVAL ? SECOND)`;

const MESSAGE = `
  INSERT INTO producer_message
    (id, message_id, task_name, channel, exchange, routing_key, content, status, house_number, next_retry_time, create_time, update_time)
  VALUES (?, ?, ?, 'rabbitmq', 'x', 'k', ?, ?, 0, IF(? = 'SENT', NULL, NOW(3)),
          NOW(3) - INTERVAL ? SECOND, NOW(3) - INTERVAL ? SECOND)`;

const NOTE = `
  INSERT INTO consumer_message
    (message_id, consumer, received_by, exchange, routing_key, content, status, next_retry_time, first_consume_time, last_consume_time)
  VALUES (?, ?, 'queue', '', '', '{}', ?, IF(? = 'SUCCESS', NULL, NOW(3)),
          NOW(3) - INTERVAL ? SECOND, NOW(3) - INTERVAL ? SECOND)`;

// worker_lease has 1024 rows in every database: enough to count with.
const NUMBERS = '(SELECT worker_id AS n FROM worker_lease WHERE worker_id < ?) AS numbers';
const OLD = 'NOW(3) - INTERVAL 600 SECOND, NOW(3) - INTERVAL 600 SECOND';

const COPIES: readonly (readonly [DatabaseName, string])[] = [
  [
    'order',
    `INSERT INTO orders (id, product_id, quantity, status, request_hash, message_id, create_time, update_time)
     SELECT o.id + 1000 + 10 * n, 1, 1, 'CONFIRMED', o.request_hash, CONCAT('deduction-copy-', n), ${OLD}
       FROM ${NUMBERS} JOIN orders o ON o.id BETWEEN ? AND ?`,
  ],
  ['order', copiesOfMessages('order', 'deduction', 'inventory.deduct')],
  ['inventory', copiesOfNotes('inventory.deduct', 'deduction')],
  ['inventory', copiesOfMessages('inventory', 'decision', 'order.deduction-decided')],
  ['order', copiesOfNotes('order.deduction-decided', 'decision')],
];

function copiesOfMessages(database: DatabaseName, what: string, task: string): string {
  // The order's own id, before the one that its decision has.
  const orderId = database === 'order' ? 'm.id' : 'm.id - 1';
  return `
    INSERT INTO producer_message
      (id, message_id, task_name, channel, exchange, routing_key, content, status, house_number, create_time, update_time)
    SELECT m.id + 1000 + 10 * n, CONCAT('${what}-copy-', n), '${task}', 'rabbitmq', 'x', 'k',
           CONCAT('{"orderId":"', ${orderId} + 1000 + 10 * n, '","outcome":"CONFIRMED"}'), 'SENT', 0, ${OLD}
      FROM ${NUMBERS} JOIN producer_message m ON m.id BETWEEN ? AND ?`;
}

function copiesOfNotes(consumer: string, what: string): string {
  return `
    INSERT INTO consumer_message
      (message_id, consumer, received_by, exchange, routing_key, content, status, first_consume_time, last_consume_time)
    SELECT CONCAT('${what}-copy-', n), '${consumer}', 'queue', '', '', '{}', 'SUCCESS', ${OLD} FROM ${NUMBERS}`;
}

async function freshDatabase(variable: string, service: string): Promise<Database> {
  const server = new URL(process.env[variable] ?? '');
  const name = `r_${randomBytes(6).toString('hex')}`;
  const url = new URL(`/${name}`, server).href;
  const onServer = openDatabase({ url: server.href, events: createEvents() });
  await onServer.knex.raw(`CREATE DATABASE ${name}`);
  await onServer.close();
  const migrations = join(dirname(require.resolve(`@counterfoil/${service}/package.json`)), 'migrations');
  await migrate(url, [MESSAGE_TABLE_MIGRATIONS, migrations]);
  return openDatabase({ url, events: createEvents() });
}
