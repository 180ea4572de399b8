import { join } from 'node:path';

import {
  createMessageTable,
  createRedeliveryTask,
  Inbox,
  type Database,
  type MessageTable,
  type Received,
} from '@counterfoil/message-table';
import { selectRows } from '@counterfoil/message-table/rows';
import { aReceived, ConsumerWorld, eventually, RETRY, ScriptedChannel } from '@counterfoil/message-table/testkit';

import { deductEffect } from '../deduct-effect.js';
import { findProduct } from '../products-store.js';

export const MIGRATIONS = join(__dirname, '..', '..', 'migrations');

export interface SentDecision {
  readonly orderId: string;
  readonly outcome: string;
}

/** The inventory's database, replicas of the service, and eyes on stock and decisions. */
export class InventoryWorld implements AsyncDisposable {
  private constructor(readonly notes: ConsumerWorld) {}

  static async open(): Promise<InventoryWorld> {
    return new InventoryWorld(await ConsumerWorld.open([MIGRATIONS]));
  }

  get db(): Database {
    return this.notes.db;
  }

  async stock(id = 1): Promise<string | undefined> {
    return (await findProduct(this.db.knex, id))?.stock;
  }

  async decisions(): Promise<SentDecision[]> {
    const rows = await selectRows<{ content: string }>(
      this.db.knex,
      'SELECT content FROM producer_message ORDER BY id',
    );
    return rows.map(({ content }) => JSON.parse(content) as SentDecision);
  }

  /** A replica whose worker id is not leased yet. */
  replica(maxRetryCount = 5): Replica {
    const db = this.notes.fresh.another({ lockWaitS: 1 });
    const table = createMessageTable({
      ...{ db, channels: [new ScriptedChannel()], processName: 'inventory', retry: RETRY },
      ...{ leaseMs: 30_000, attemptTimeoutMs: 2_000, maxContentBytes: 1_048_576, maxRetryCount, fastPathPlaces: 0 },
    });
    return new Replica(
      this.notes,
      db,
      table,
      new Inbox(db, deductEffect(table.acceptor, maxRetryCount), { retry: RETRY }),
    );
  }

  async started(maxRetryCount = 5): Promise<Replica> {
    const replica = this.replica(maxRetryCount);
    await this.notes.run(replica.table.services);
    await eventually(() => replica.hasWorkerId());
    return replica;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.notes[Symbol.asyncDispose]();
  }
}

/** One replica of the service: its own pool, worker id and inbox. */
export class Replica {
  constructor(
    private readonly notes: ConsumerWorld,
    readonly db: Database,
    readonly table: MessageTable,
    readonly inbox: Inbox,
  ) {}

  hasWorkerId(): boolean {
    try {
      return this.table.newId() !== '';
    } catch {
      return false;
    }
  }

  /** Starts its redelivery task. */
  async redeliver(): Promise<void> {
    const { db, inbox, notes } = this;
    await notes.run([createRedeliveryTask({ db, effects: [inbox.effect], retry: RETRY, leaseMs: 30_000, pollMs: 10 })]);
  }
}

let nextOrder = 9_023_393_775_362_048n;

export const aDeduction = (fields: object = {}): Received =>
  aReceived({
    consumer: 'inventory.deduct',
    body: Buffer.from(JSON.stringify({ orderId: String(nextOrder++), productId: 1, quantity: 1, ...fields })),
  });
