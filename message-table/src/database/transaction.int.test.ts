import { eventually } from '../testkit/eventually.js';
import { freshDatabase, type FreshDatabase } from '../testkit/fresh-database.js';
import { StatementProxy } from '../testkit/statement-proxy.js';
import type { Database } from './database.js';
import { lostARace } from './error-kinds.js';
import { changeRows, selectRows } from './rows.js';
import { afterCommit, afterRollback, runInTransaction, type Transaction } from './transaction.js';

let fresh: FreshDatabase;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  await fresh.db.knex.raw(`CREATE TABLE thing (id INT PRIMARY KEY, amount INT NOT NULL,
    CONSTRAINT thing_amount CHECK (amount >= 0)) ENGINE = InnoDB`);
});
afterAll(() => fresh[Symbol.asyncDispose]());
beforeEach(async () => {
  db = fresh.another({ lockWaitS: 1 });
  await changeRows(fresh.db.knex, 'DELETE FROM thing');
  await changeRows(fresh.db.knex, 'INSERT INTO thing VALUES (1, 50), (2, 50)');
});

const amounts = async (): Promise<Record<number, number>> => {
  const rows = await selectRows<{ id: number; amount: number }>(
    fresh.db.knex,
    'SELECT id, amount FROM thing ORDER BY id',
  );
  return Object.fromEntries(rows.map(({ id, amount }) => [id, amount]));
};

const add = (trx: Transaction, id: number, by: number): Promise<number> =>
  changeRows(trx, 'UPDATE thing SET amount = amount + ? WHERE id = ?', [by, id]);

const raceError = (errno: number): Error => Object.assign(new Error('made by the test'), { errno });

/** Holds thing 2; `end` asks for thing 1 and rolls back: a dead-lock for whoever holds 1 and asks for 2. */
async function rival(): Promise<{ end: () => Promise<void> }> {
  const trx = await fresh.db.knex.transaction();
  await trx.raw('SELECT amount FROM thing WHERE id = 2 FOR UPDATE');
  // More rows changed than the other side: the server picks the smaller transaction as the victim.
  await trx.raw('INSERT INTO thing VALUES (101, 0), (102, 0), (103, 0), (104, 0), (105, 0)');
  const ask = trx.raw('SELECT amount FROM thing WHERE id = 1 FOR UPDATE');
  return {
    end: () =>
      Promise.resolve(ask)
        .finally(() => trx.rollback())
        .then(
          () => undefined,
          () => undefined,
        ),
  };
}

describe('a transaction that loses a race is repeated whole', () => {
  it('DB-02: when a lock time-out comes after the first statement, then all of it is rolled back and done again', async () => {
    const holder = await fresh.db.knex.transaction();
    await holder.raw('SELECT amount FROM thing WHERE id = 2 FOR UPDATE');
    db.events.once('transactionRetried', () => void holder.rollback());
    let runs = 0;
    await runInTransaction(db, async (trx) => {
      runs += 1;
      await add(trx, 1, 1);
      await add(trx, 2, 1);
    });
    expect(runs).toBe(2);
    expect(await amounts()).toEqual({ 1: 51, 2: 51 });
  });

  it('DB-02: when a lock time-out comes every time, then nothing is kept and the caller is told', async () => {
    const holder = await fresh.db.knex.transaction();
    await holder.raw('SELECT amount FROM thing WHERE id = 2 FOR UPDATE');
    const failing = runInTransaction(
      db,
      async (trx) => {
        await add(trx, 1, 1);
        await add(trx, 2, 1);
      },
      { attempts: 2 },
    );
    await expect(failing).rejects.toMatchObject({ errno: 1205 });
    await holder.rollback();
    expect(await amounts()).toEqual({ 1: 50, 2: 50 });
  });

  it('DB-02: when the work swallows a lock time-out and goes on, then no half of it is kept', async () => {
    const holder = await fresh.db.knex.transaction();
    await holder.raw('SELECT amount FROM thing WHERE id = 2 FOR UPDATE');
    const careless = runInTransaction(
      db,
      async (trx) => {
        await add(trx, 1, 1);
        await add(trx, 2, 1).catch(() => 0);
      },
      { attempts: 1 },
    );
    await expect(careless).rejects.toMatchObject({ errno: 1205 });
    await holder.rollback();
    expect(await amounts()).toEqual({ 1: 50, 2: 50 });
  });

  it('DB-02: when two transactions lock in opposite order, then the victim is repeated and both are kept whole', async () => {
    let first = 0;
    const both = [
      [1, 2],
      [2, 1],
    ].map(([one = 0, other = 0]) =>
      runInTransaction(db, async (trx) => {
        await add(trx, one, 1);
        first += 1;
        await eventually(() => first >= 2);
        await add(trx, other, 1);
      }),
    );
    await Promise.all(both);
    expect(first).toBeGreaterThan(2);
    expect(await amounts()).toEqual({ 1: 52, 2: 52 });
  });

  it('DB-02: when the work swallows a dead-lock, then nothing that follows is kept outside the transaction', async () => {
    const { end } = await rival();
    let ended: Promise<void> = Promise.resolve();
    const careless = runInTransaction(
      db,
      async (trx) => {
        await add(trx, 1, 1);
        ended = end();
        await eventually(async () => (await waiting()) > 0, 5_000, 150);
        await add(trx, 2, 1).catch(() => 0);
        await changeRows(trx, 'INSERT INTO thing VALUES (3, 1)').catch(() => 0);
      },
      { attempts: 1 },
    );
    await expect(careless).rejects.toMatchObject({ errno: 1213 });
    await ended;
    expect(await amounts()).toEqual({ 1: 50, 2: 50 });
  });

  it('DB-16: when statements run side by side and one is the victim of a dead-lock, then none of the others is kept', async () => {
    const { end } = await rival();
    let ended: Promise<void> = Promise.resolve();
    const sideBySide = runInTransaction(
      db,
      async (trx) => {
        await add(trx, 1, 1);
        ended = end();
        await eventually(async () => (await waiting()) > 0, 5_000, 150);
        await Promise.all([
          add(trx, 2, 1),
          changeRows(trx, 'INSERT INTO thing VALUES (3, 1)'),
          changeRows(trx, 'INSERT INTO thing VALUES (4, 1)'),
        ]);
      },
      { attempts: 1 },
    );
    await expect(sideBySide).rejects.toMatchObject({ errno: 1213 });
    await ended;
    expect(await amounts()).toEqual({ 1: 50, 2: 50 });
  });

  it.each([1020, 1205, 1213])(
    'DB-04: when %d is thrown, then the whole unit runs again in a fresh transaction (design)',
    async (errno) => {
      const seen = new Set<Transaction>();
      await runInTransaction(db, async (trx) => {
        seen.add(trx);
        await changeRows(trx, 'INSERT INTO thing VALUES (3, 1)');
        if (seen.size < 3) throw raceError(errno);
      });
      expect(seen.size).toBe(3);
      expect(await amounts()).toEqual({ 1: 50, 2: 50, 3: 1 });
    },
  );

  it('DB-04: when rows change between a read and a write of one transaction, then READ COMMITTED goes on and nothing is lost', async () => {
    await runInTransaction(db, async (trx) => {
      await selectRows(trx, 'SELECT amount FROM thing WHERE id = 1');
      await changeRows(fresh.db.knex, 'UPDATE thing SET amount = amount - 10 WHERE id = 1');
      await add(trx, 1, 1);
    });
    expect(await amounts()).toMatchObject({ 1: 41 });
  });

  it('DB-04: when a session is at REPEATABLE READ and a row changes under it, then nothing is lost, and a 1020 is repeated whole', async () => {
    const stubborn = fresh.another({ poolMax: 1 });
    await stubborn.knex.raw('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    let runs = 0;
    await runInTransaction(stubborn, async (trx) => {
      runs += 1;
      await selectRows(trx, 'SELECT amount FROM thing WHERE id = 1');
      if (runs === 1) await changeRows(fresh.db.knex, 'UPDATE thing SET amount = amount - 10 WHERE id = 1');
      await add(trx, 1, 1);
    });
    expect(await amounts()).toMatchObject({ 1: 41 });
    const [server] = await selectRows<{ snapshots: string | null }>(
      fresh.db.knex,
      `SHOW VARIABLES LIKE 'innodb_snapshot_isolation'`,
    );
    if ((server as { Value?: string } | undefined)?.Value === 'ON') expect(runs).toBe(2);
  });

  it('INV-01: when 50 transactions want the last 50 pieces, each read under its lock, then each gets one and none gives up', async () => {
    let runs = 0;
    await Promise.all(
      Array.from({ length: 50 }, () =>
        runInTransaction(db, async (trx) => {
          runs += 1;
          const [row] = await selectRows<{ amount: number }>(trx, 'SELECT amount FROM thing WHERE id = 1 FOR UPDATE');
          await changeRows(trx, 'UPDATE thing SET amount = ? WHERE id = 1 AND amount >= 1', [(row?.amount ?? 0) - 1]);
        }),
      ),
    );
    expect(runs).toBe(50);
    expect(await amounts()).toMatchObject({ 1: 0 });
  });

  it('INV-01: when a version has moved since it was read, then the repeat reads the present one', async () => {
    const seen: number[] = [];
    await runInTransaction(db, async (trx) => {
      const [row] = await selectRows<{ amount: number }>(trx, 'SELECT amount FROM thing WHERE id = 1');
      seen.push(row?.amount ?? 0);
      if (seen.length === 1) await changeRows(fresh.db.knex, 'UPDATE thing SET amount = 7 WHERE id = 1');
      const changed = await changeRows(trx, 'UPDATE thing SET amount = amount - 1 WHERE id = 1 AND amount = ?', [
        row?.amount,
      ]);
      if (changed === 0) throw raceError(1020);
    });
    expect(seen).toEqual([50, 7]);
    expect(await amounts()).toMatchObject({ 1: 6 });
  });

  it('when COMMIT itself is refused, then the whole unit is done again, and what the server may still hold open is never committed', async () => {
    await using proxy = await StatementProxy.before(fresh.url);
    const proxied = fresh.another({ url: proxy.url, poolMax: 1 });
    proxy.strike('COMMIT;', 'dead-lock');
    let runs = 0;
    await runInTransaction(proxied, async (trx) => {
      runs += 1;
      await changeRows(trx, 'INSERT INTO thing VALUES (?, 1)', [runs + 2]);
    });
    expect(runs).toBe(2);
    expect(await amounts()).toEqual({ 1: 50, 2: 50, 4: 1 });
  });
});

describe('hooks', () => {
  it('when the transaction commits, then its hooks run once and in order', async () => {
    const ran: number[] = [];
    await runInTransaction(db, async (trx) => {
      for (const n of [1, 2, 3]) afterCommit(trx, () => ran.push(n));
      afterRollback(trx, () => ran.push(-1));
      await add(trx, 1, 1);
      expect(ran).toEqual([]);
    });
    expect(ran).toEqual([1, 2, 3]);
  });

  it('when it rolls back, then only the hooks for that run', async () => {
    const ran: string[] = [];
    const failing = runInTransaction(db, async (trx) => {
      afterCommit(trx, () => ran.push('committed'));
      afterRollback(trx, () => ran.push('rolled back'));
      await add(trx, 1, -100);
    });
    await expect(failing).rejects.toThrow(/thing_amount/);
    expect(ran).toEqual(['rolled back']);
  });

  it('when it is repeated, then the hooks of the runs before are not those of the last', async () => {
    const ran: string[] = [];
    let runs = 0;
    await runInTransaction(db, (trx) => {
      const run = (runs += 1);
      afterCommit(trx, () => ran.push(`committed ${String(run)}`));
      afterRollback(trx, () => ran.push(`rolled back ${String(run)}`));
      return run < 3 ? Promise.reject(raceError(1213)) : Promise.resolve();
    });
    expect(ran).toEqual(['rolled back 1', 'rolled back 2', 'committed 3']);
  });

  it('when a hook throws, then the others run all the same and what is stored is still a success', async () => {
    const ran: string[] = [];
    const reported = new Promise((resolve) => db.events.once('loopFailed', resolve));
    const stored = runInTransaction(db, async (trx) => {
      afterCommit(trx, () => {
        throw new Error('a bug in a hook');
      });
      afterCommit(trx, () => ran.push('second'));
      return add(trx, 1, 1);
    });
    expect(await stored).toBe(1);
    expect(ran).toEqual(['second']);
    expect(await reported).toMatchObject({ loop: 'after-commit' });
  });
});

describe('what a transaction leaves on its connection', () => {
  it('DB-16: when three statements run side by side and the second breaks a constraint, then none of them is kept', async () => {
    const failing = runInTransaction(db, (trx) =>
      Promise.all([
        changeRows(trx, 'INSERT INTO thing VALUES (3, 1)'),
        changeRows(trx, 'INSERT INTO thing VALUES (4, -1)'),
        changeRows(trx, 'INSERT INTO thing VALUES (5, 1)'),
      ]),
    );
    await expect(failing).rejects.toThrow(/thing_amount/);
    expect(await amounts()).toEqual({ 1: 50, 2: 50 });
  });

  it('DB-15: when transactions have run, then every connection of the pool still has the one isolation level', async () => {
    await Promise.all(Array.from({ length: 30 }, () => runInTransaction(db, (trx) => add(trx, 1, 1))));
    const levels = await Promise.all(
      Array.from({ length: 10 }, () =>
        selectRows<{ Value: string }>(
          db.knex,
          `SHOW SESSION VARIABLES WHERE Variable_name IN ('tx_isolation', 'transaction_isolation')`,
        ),
      ),
    );
    expect(new Set(levels.flat().map(({ Value }) => Value))).toEqual(new Set(['READ-COMMITTED']));
  });

  it('DB-11: when more transactions are asked for than the pool has connections, then all of them get their turn', async () => {
    const small = fresh.another({ poolMax: 3 });
    await Promise.all(Array.from({ length: 50 }, () => runInTransaction(small, (trx) => add(trx, 1, 1))));
    expect(await amounts()).toMatchObject({ 1: 100 });
  });
});

it('DB-05: when a row is set to what it is already, then it counts as changed, so only a version can tell (design)', async () => {
  expect(await changeRows(db.knex, 'UPDATE thing SET amount = 50 WHERE id = 1')).toBe(1);
  expect(await changeRows(db.knex, 'UPDATE thing SET amount = 50 WHERE id = 1 AND amount = 49')).toBe(0);
  const again = changeRows(db.knex, 'INSERT INTO thing VALUES (1, 50)');
  await expect(again).rejects.toMatchObject({ errno: 1062 });
  expect(lostARace(await again.catch((error: unknown) => error))).toBe(false);
});

const waiting = async (): Promise<number> =>
  (await selectRows(fresh.db.knex, `SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'`)).length;
