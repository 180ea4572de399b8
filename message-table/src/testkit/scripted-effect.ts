import { changeRows, selectRows } from '../database/rows.js';
import type { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import type { Received } from '../consumer/consumer-message.js';
import type { Effect, EffectItem } from '../consumer/effect.js';

const TABLE = `CREATE TABLE IF NOT EXISTS took_effect (
  message_id VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, KEY (message_id)) ENGINE = InnoDB`;

/** An effect that leaves one row per time it took place, and does beforehand what the test says. */
export class ScriptedEffect implements Effect<string> {
  /** Calls of `apply`, with the message ids of each. */
  readonly calls: string[][] = [];
  before: (messageIds: readonly string[], trx: Transaction) => Promise<void> | void = () => undefined;
  readBody: (received: Received) => string = ({ body }) => body.toString();

  constructor(
    readonly name = 'test',
    readonly maxRetryCount = 5,
  ) {}

  read(received: Received): string {
    return this.readBody(received);
  }

  async apply(trx: Transaction, items: readonly EffectItem<string>[]): Promise<void> {
    const messageIds = items.map(({ messageId }) => messageId);
    this.calls.push(messageIds);
    await this.before(messageIds, trx);
    await changeRows(trx, 'INSERT INTO took_effect (message_id) VALUES ?', [messageIds.map((id) => [id])]);
  }

  /** How often a message was tried. */
  tries(messageId: string): number {
    return this.calls.filter((ids) => ids.includes(messageId)).length;
  }

  static prepare = (db: Database): Promise<number> => changeRows(db.knex, TABLE);

  /** How often each message took effect. */
  static async counts(db: Database): Promise<Record<string, number>> {
    const rows = await selectRows<{ id: string; n: number | string }>(
      db.knex,
      'SELECT message_id AS id, COUNT(*) AS n FROM took_effect GROUP BY message_id',
    );
    return Object.fromEntries(rows.map(({ id, n }) => [id, Number(n)]));
  }
}
