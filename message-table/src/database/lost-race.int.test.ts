import { eventually } from '../testkit/eventually.js';
import type { Database } from './database.js';
import { changeRows } from './rows.js';
import { add, Things } from './testing/things.js';
import { runInTransaction } from './transaction.js';

let things: Things;
let db: Database;

beforeAll(async () => {
  things = await Things.open();
});
afterAll(() => things[Symbol.asyncDispose]());
beforeEach(async () => {
  db = await things.reset();
});

describe('a transaction that loses a race is repeated whole', () => {
  it('DB-02: when a lock time-out comes after the first statement, then all of it is rolled back and done again', async () => {
    const holder = await things.hold();
    db.events.once('transactionRetried', () => void holder.rollback());
    let runs = 0;
    await runInTransaction(db, async (trx) => {
      runs += 1;
      await add(trx, 1, 1);
      await add(trx, 2, 1);
    });
    expect(runs).toBe(2);
    expect(await things.amounts()).toEqual({ 1: 51, 2: 51 });
  });

  it('DB-02: when a lock time-out comes every time, then nothing is kept and the caller is told', async () => {
    const holder = await things.hold();
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
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
  });

  it('DB-02: when the work swallows a lock time-out and goes on, then no half of it is kept', async () => {
    const holder = await things.hold();
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
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
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
    expect(await things.amounts()).toEqual({ 1: 52, 2: 52 });
  });

  it('DB-02: when the work swallows a dead-lock, then nothing that follows is kept outside the transaction', async () => {
    const { end } = await things.rival();
    let ended: Promise<void> = Promise.resolve();
    const careless = runInTransaction(
      db,
      async (trx) => {
        await add(trx, 1, 1);
        ended = end();
        await eventually(() => things.anyoneWaits(), 5_000, 150);
        await add(trx, 2, 1).catch(() => 0);
        await changeRows(trx, 'INSERT INTO thing VALUES (3, 1)').catch(() => 0);
      },
      { attempts: 1 },
    );
    await expect(careless).rejects.toMatchObject({ errno: 1213 });
    await ended;
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
  });

  it('DB-16: when statements run side by side and one is the victim of a dead-lock, then none of the others is kept', async () => {
    const { end } = await things.rival();
    let ended: Promise<void> = Promise.resolve();
    const sideBySide = runInTransaction(
      db,
      async (trx) => {
        await add(trx, 1, 1);
        ended = end();
        await eventually(() => things.anyoneWaits(), 5_000, 150);
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
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
  });
});
