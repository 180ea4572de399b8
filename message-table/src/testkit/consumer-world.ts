import type { Received } from '../consumer/consumer-message.js';
import type { Effect } from '../consumer/effect.js';
import { Inbox, type InboxOptions } from '../consumer/inbox.js';
import type { Database } from '../database/database.js';
import { changeRows, selectRows } from '../database/rows.js';
import { startInOrder, stopInReverse, type Service } from '../service/lifecycle.js';
import { eventually } from './eventually.js';
import { freshDatabase, type FreshDatabase } from './fresh-database.js';

export const RETRY = { retryBaseMs: 2_000, retryMaxMs: 7_200_000, unknownPauseMs: 2_000 };

export interface NoteRow {
  readonly id: string;
  readonly messageId: string;
  readonly consumer: string;
  readonly receivedBy: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly status: string;
  readonly version: number;
  readonly retryCount: number;
  readonly lostCount: number;
  readonly errorMsg: string | null;
  /** Until anyone may act on it, ms from now on the database's clock; null when nobody will. */
  readonly dueInMs: number | null;
}

const NOTES = `
  SELECT id, message_id AS messageId, consumer, received_by AS receivedBy, exchange, routing_key AS routingKey, status,
         version, retry_count AS retryCount, lost_count AS lostCount, error_msg AS errorMsg,
         TIMESTAMPDIFF(MICROSECOND, NOW(3), next_retry_time) / 1000 AS dueInMs
    FROM consumer_message`;

/** A database, and eyes on its notes: what the tests of the consumer are made of. */
export class ConsumerWorld implements AsyncDisposable {
  private readonly stops: (() => Promise<unknown>)[] = [];

  private constructor(readonly fresh: FreshDatabase) {}

  /** @param migrations the service's own, after the component's */
  static async open(migrations: readonly string[] = [], variable = 'INVENTORY_DB_URL'): Promise<ConsumerWorld> {
    return new ConsumerWorld(await freshDatabase(migrations, variable));
  }

  get db(): Database {
    return this.fresh.db;
  }

  /** Another process's inbox, with a pool of its own. */
  inbox(effect: Effect, options: Partial<InboxOptions> = {}, db = this.fresh.another()): Inbox {
    return new Inbox(db, effect, { retry: RETRY, ...options });
  }

  /** Started now, stopped at the end, before the database goes. */
  async run(services: readonly Service[]): Promise<void> {
    await startInOrder(services);
    this.atEnd(() => stopInReverse(services));
  }

  atEnd(stop: () => Promise<unknown>): void {
    this.stops.push(stop);
  }

  async notes(): Promise<NoteRow[]> {
    const rows = await selectRows<Omit<NoteRow, 'dueInMs'> & { dueInMs: string | null }>(
      this.db.knex,
      `${NOTES} ORDER BY id`,
    );
    return rows.map((row) => ({ ...row, dueInMs: row.dueInMs === null ? null : Number(row.dueInMs) }));
  }

  async note(messageId: string): Promise<NoteRow | null> {
    return (await this.notes()).find((note) => note.messageId === messageId) ?? null;
  }

  /** Resolves when the note is there and the condition holds. */
  untilNote(messageId: string, condition: (note: NoteRow) => boolean): Promise<NoteRow> {
    return eventually(async () => {
      const note = await this.note(messageId);
      return note !== null && condition(note) ? note : null;
    });
  }

  /** Resolves when so many notes have this status. */
  async untilNotes(count: number, status: string): Promise<void> {
    await eventually(async () => (await this.notes()).filter((note) => note.status === status).length >= count);
  }

  /** Ends leases and pauses without waiting for them. */
  async makeDue(messageId = '%'): Promise<void> {
    await changeRows(
      this.db.knex,
      `UPDATE consumer_message SET next_retry_time = NOW(3) - INTERVAL 1 SECOND WHERE next_retry_time IS NOT NULL AND message_id LIKE ?`,
      [messageId],
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stop of this.stops.reverse()) await stop();
    await this.fresh[Symbol.asyncDispose]();
  }
}

let nextMessage = 1;

/** A message as it is after it was received. */
export const aReceived = (fields: Partial<Received> = {}): Received => {
  const messageId = `message-${String(nextMessage++).padStart(6, '0')}`;
  const [exchange, routingKey] = ['inventory.exchange', 'inventory.deduct'];
  return {
    messageId,
    consumer: 'test',
    receivedBy: 'test',
    exchange,
    routingKey,
    headers: {},
    body: Buffer.from('{}'),
    ...fields,
  };
};
