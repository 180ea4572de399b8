import type { Database } from './database.js';
import { lostARace } from './error-kinds.js';
import { changeRows, selectRows } from './rows.js';
import { add, raceError, Things } from './testing/things.js';
import { afterCommit, afterRollback, runInTransaction } from './transaction.js';

let things: Things;
let db: Database;

beforeAll(async () => {
  things = await Things.open();
});
afterAll(() => things[Symbol.asyncDispose]());
beforeEach(async () => {
  db = await things.reset();
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
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
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
    const small = things.fresh.another({ poolMax: 3 });
    await Promise.all(Array.from({ length: 50 }, () => runInTransaction(small, (trx) => add(trx, 1, 1))));
    expect(await things.amounts()).toMatchObject({ 1: 100 });
  });
});

it('DB-05: when a row is set to what it is already, then it counts as changed, so only a version can tell (design)', async () => {
  expect(await changeRows(db.knex, 'UPDATE thing SET amount = 50 WHERE id = 1')).toBe(1);
  expect(await changeRows(db.knex, 'UPDATE thing SET amount = 50 WHERE id = 1 AND amount = 49')).toBe(0);
  const again = changeRows(db.knex, 'INSERT INTO thing VALUES (1, 50)');
  await expect(again).rejects.toMatchObject({ errno: 1062 });
  expect(lostARace(await again.catch((error: unknown) => error))).toBe(false);
});
