import { freshDatabase, type FreshDatabase } from '../../testkit/fresh-database.js';
import type { Database } from '../database.js';
import { changeRows, selectRows } from '../rows.js';
import type { Transaction } from '../transaction.js';

/** Two rows, 1 and 2, of 50 each: what the tests of transactions work on. */
export class Things implements AsyncDisposable {
  private constructor(readonly fresh: FreshDatabase) {}

  static async open(): Promise<Things> {
    const fresh = await freshDatabase();
    await fresh.db.knex.raw(`CREATE TABLE thing (id INT PRIMARY KEY, amount INT NOT NULL,
      CONSTRAINT thing_amount CHECK (amount >= 0)) ENGINE = InnoDB`);
    return new Things(fresh);
  }

  /** As at the start; and a pool for the test. */
  async reset(): Promise<Database> {
    await changeRows(this.fresh.db.knex, 'DELETE FROM thing');
    await changeRows(this.fresh.db.knex, 'INSERT INTO thing VALUES (1, 50), (2, 50)');
    return this.fresh.another({ lockWaitS: 1 });
  }

  async amounts(): Promise<Record<number, number>> {
    const rows = await selectRows<{ id: number; amount: number }>(
      this.fresh.db.knex,
      'SELECT id, amount FROM thing ORDER BY id',
    );
    return Object.fromEntries(rows.map(({ id, amount }) => [id, amount]));
  }

  /** Somebody else, who keeps thing 2 locked. */
  async hold(): Promise<Transaction> {
    const holder = await this.fresh.db.knex.transaction();
    await holder.raw('SELECT amount FROM thing WHERE id = 2 FOR UPDATE');
    return holder;
  }

  /** Holds thing 2; `end` asks for thing 1 and rolls back: a dead-lock for whoever holds 1 and asks for 2. */
  async rival(): Promise<{ readonly end: () => Promise<void> }> {
    const trx = await this.hold();
    // More rows changed than the other side: the server picks the smaller transaction as the victim.
    await trx.raw('INSERT INTO thing VALUES (101, 0), (102, 0), (103, 0), (104, 0), (105, 0)');
    const end = async (): Promise<void> => {
      await trx.raw('SELECT amount FROM thing WHERE id = 1 FOR UPDATE').then(
        () => undefined,
        () => undefined,
      );
      await trx.rollback();
    };
    return { end };
  }

  async anyoneWaits(): Promise<boolean> {
    const sql = `SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'`;
    return (await selectRows(this.fresh.db.knex, sql)).length > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fresh[Symbol.asyncDispose]();
  }
}

export const add = (trx: Transaction, id: number, by: number): Promise<number> =>
  changeRows(trx, 'UPDATE thing SET amount = amount + ? WHERE id = ?', [by, id]);

export const raceError = (errno: number): Error => Object.assign(new Error('made by the test'), { errno });
