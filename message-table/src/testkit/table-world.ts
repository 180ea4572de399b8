import { CONFIRMED } from '../channels/outcome.js';
import type { Database } from '../database/database.js';
import { changeRows, selectRows } from '../database/rows.js';
import { runInTransaction } from '../database/transaction.js';
import { createMessageTable, type MessageTable, type MessageTableOptions } from '../message-table.js';
import type { Accepted } from '../producer/accept.js';
import type { TaskCommand, TaskCommandFor } from '../producer/command.js';
import { houseOf } from '../producer/producer-message.js';
import { createRelay, type RelayOptions } from '../relay.js';
import { startInOrder, stopInReverse } from '../service/lifecycle.js';
import type { Loop } from '../service/loop.js';
import { freshDatabase, type FreshDatabase } from './fresh-database.js';
import { ScriptedChannel } from './scripted-channel.js';

const RETRY = { retryBaseMs: 2_000, retryMaxMs: 7_200_000, unknownPauseMs: 2_000 };
const POLL_MS = 20;
const TIMES = { retry: RETRY, leaseMs: 30_000, attemptTimeoutMs: 2_000 };

export interface ProducerRow {
  readonly id: string;
  readonly messageId: string;
  readonly status: string;
  readonly version: number;
  readonly retryCount: number;
  readonly lostCount: number;
  readonly errorMsg: string | null;
  /** Until anyone may act on it, ms from now on the database's clock; null when nobody will. */
  readonly dueInMs: number | null;
}

/** A producing process, relays, and eyes on the table: what the tests of the producer are made of. */
export class TableWorld implements AsyncDisposable {
  readonly channel = new ScriptedChannel();
  private readonly stoppables: (() => Promise<unknown>)[] = [];

  private constructor(readonly fresh: FreshDatabase) {}

  static async open(): Promise<TableWorld> {
    return new TableWorld(await freshDatabase());
  }

  get db(): Database {
    return this.fresh.db;
  }

  /** A process that accepts messages; without a fast path unless asked for. */
  async producer(options: Partial<MessageTableOptions> = {}): Promise<MessageTable> {
    const table = createMessageTable({
      ...TIMES,
      db: this.db,
      channels: [this.channel],
      processName: 'producer-1',
      maxContentBytes: 1_048_576,
      maxRetryCount: 5,
      fastPathPlaces: 0,
      ...options,
    });
    const { events } = options.db ?? this.db;
    const looked = new Promise((resolve) => events.once('pausesChanged', resolve));
    await startInOrder(table.services);
    this.stoppables.push(() => stopInReverse(table.services));
    await untilIdIsLeased(table);
    // Before the first look at the pauses everything is left to the table.
    if ((options.fastPathPlaces ?? 0) > 0) await looked;
    return table;
  }

  /** The loops of one relay, started. */
  async relay(options: Partial<RelayOptions> = {}): Promise<readonly Loop[]> {
    const loops = createRelay({
      ...TIMES,
      db: options.db ?? this.fresh.another(),
      channels: [this.channel],
      processName: 'relay-1',
      rate: 0,
      batch: 100,
      pollMs: POLL_MS,
      byteBudget: 8_388_608,
      ...options,
    });
    await startInOrder(loops);
    this.stoppables.push(() => stopInReverse(loops));
    return loops;
  }

  accept(table: MessageTable, command: SomeCommand = {}): Promise<Accepted> {
    return runInTransaction(this.db, (trx) => table.acceptor.accept(trx, aCommand(command)));
  }

  async row(messageId: string): Promise<ProducerRow> {
    const [row] = await this.rows('WHERE message_id = ?', [messageId]);
    if (row === undefined) throw new Error(`There is no message ${messageId}`);
    return row;
  }

  async rows(where = '', bindings: unknown[] = []): Promise<ProducerRow[]> {
    const rows = await selectRows<Omit<ProducerRow, 'dueInMs'> & { dueInMs: string | null }>(
      this.db.knex,
      `SELECT id, message_id AS messageId, status, version, retry_count AS retryCount, lost_count AS lostCount,
              error_msg AS errorMsg, TIMESTAMPDIFF(MICROSECOND, NOW(3), next_retry_time) / 1000 AS dueInMs
         FROM producer_message ${where} ORDER BY id`,
      bindings,
    );
    return rows.map((row) => ({ ...row, dueInMs: row.dueInMs === null ? null : Number(row.dueInMs) }));
  }

  /** Ends leases and pauses without waiting for them. */
  async makeDue(where = '1 = 1', bindings: unknown[] = []): Promise<void> {
    await changeRows(
      this.db.knex,
      `UPDATE producer_message SET next_retry_time = NOW(3) - INTERVAL 1 SECOND WHERE next_retry_time IS NOT NULL AND ${where}`,
      bindings,
    );
  }

  /** Resolves when the condition holds for the message's row; looks again and again, bounded by the test's time-out. */
  async until(messageId: string, condition: (row: ProducerRow) => boolean): Promise<ProducerRow> {
    for (;;) {
      const row = await this.row(messageId);
      if (condition(row)) return row;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Long enough for an idle relay of this world to look so many times. */
  async turns(count: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, count * POLL_MS * 1.2));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const sending of this.channel.sendings) sending.answer(CONFIRMED);
    for (const stop of this.stoppables.reverse()) await stop();
    await this.fresh[Symbol.asyncDispose]();
  }
}

/** A whole command for any channel, or some fields of one for rabbitmq. */
type SomeCommand = Partial<TaskCommandFor<'rabbitmq'>> | TaskCommand;

/** A message id of that house number, always the same. */
export const idIn = (house: number): string =>
  Array.from({ length: 100 }, (_, index) => `m-${String(index)}`).find((id) => houseOf(id) === house) ?? '';

export const aCommand = (command: SomeCommand = {}): TaskCommand => ({
  taskName: 'inventory.deduct',
  channel: 'rabbitmq',
  config: { exchange: 'inventory.exchange', routingKey: 'inventory.deduct' },
  content: { orderId: '1', productId: 1, quantity: 1 },
  ...command,
});

export async function untilIdIsLeased(table: MessageTable): Promise<void> {
  for (;;) {
    try {
      table.newId();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
