import { MessageTableError } from '../errors.js';
import type { Database } from './database.js';
import { mayNotLook, noSuchTable } from './error-kinds.js';
import { assertOpen, ForeignTransaction, type AnyTransaction } from './foreign-transaction.js';
import { selectRows, type Runner } from './rows.js';

// When its first migration ended, to the millisecond, tells a database from any other; copies of it (replicas, nodes of a
// cluster) agree, whatever address they are reached by. A locking read: it takes no snapshot in the caller's transaction.
const IDENTITY = `
  SELECT LOWER(DATABASE()) AS name, CAST(update_time AS CHAR) AS migrated
    FROM schema_migration
   WHERE name = '0001-message-tables.sql'
    LOCK IN SHARE MODE`;

const WITHOUT_MESSAGE_TABLES = 'without message tables';

/** The database that messages are to be written to. A transaction of another one would put them where nobody expects them. */
export class HomeDatabase {
  /** Each connection is looked at once. */
  private readonly known = new WeakSet();

  constructor(private readonly db: Database) {}

  /** @throws MessageTableError `NO_TRANSACTION`, `TRANSACTION_ENDED`, `TRANSACTION_ELSEWHERE`; the driver's error */
  async assertOpenHere(trx: AnyTransaction): Promise<void> {
    await assertOpen(trx);
    if (isOfPool(trx, this.db)) return;
    const connection = await connectionOf(trx);
    if (this.known.has(connection)) return;
    const theirs = await identityOf(trx);
    const ours = await identityOf(this.db.knex);
    // Null: nobody can tell, and a foreign account need not be allowed to read the list of migrations.
    if (theirs !== null && ours !== null && theirs !== ours) {
      const text = 'The transaction is one of another database than that of the message table';
      throw new MessageTableError('TRANSACTION_ELSEWHERE', text);
    }
    this.known.add(connection);
  }
}

interface KnexClient {
  readonly connectionSettings: unknown;
  acquireConnection(): Promise<object>;
}

/** Transactions and savepoints of a pool share the very object of its settings. */
const isOfPool = (trx: AnyTransaction, { knex }: Database): boolean =>
  !(trx instanceof ForeignTransaction) &&
  (trx.client as KnexClient).connectionSettings === (knex.client as KnexClient).connectionSettings;

/** A transaction's client has one connection only. */
const connectionOf = (trx: AnyTransaction): Promise<object> | object =>
  trx instanceof ForeignTransaction ? trx.line : (trx.client as KnexClient).acquireConnection();

async function identityOf(runner: Runner): Promise<string | null> {
  try {
    const [row] = await selectRows<{ name: string; migrated: string }>(runner, IDENTITY);
    return row === undefined ? null : `${row.name} ${row.migrated}`;
  } catch (error) {
    if (noSuchTable(error)) return WITHOUT_MESSAGE_TABLES;
    if (mayNotLook(error)) return null;
    throw error; // also a lost race: the caller's transaction is gone, and what follows would be kept by itself
  }
}
