import { StatementProxy } from '../testkit/statement-proxy.js';
import type { Database } from './database.js';
import { changeRows, selectRows } from './rows.js';
import { add, raceError, Things } from './testing/things.js';
import { runInTransaction, type Transaction } from './transaction.js';

let things: Things;
let db: Database;

beforeAll(async () => {
  things = await Things.open();
});
afterAll(() => things[Symbol.asyncDispose]());
beforeEach(async () => {
  db = await things.reset();
});

describe('each repeat is a new transaction that sees the present', () => {
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
      expect(await things.amounts()).toEqual({ 1: 50, 2: 50, 3: 1 });
    },
  );

  it('DB-04: when rows change between a read and a write of one transaction, then READ COMMITTED goes on and nothing is lost', async () => {
    await runInTransaction(db, async (trx) => {
      await selectRows(trx, 'SELECT amount FROM thing WHERE id = 1');
      await changeRows(things.fresh.db.knex, 'UPDATE thing SET amount = amount - 10 WHERE id = 1');
      await add(trx, 1, 1);
    });
    expect(await things.amounts()).toMatchObject({ 1: 41 });
  });

  it('DB-04: when a session is at REPEATABLE READ and a row changes under it, then nothing is lost, and a 1020 is repeated whole', async () => {
    const stubborn = things.fresh.another({ poolMax: 1 });
    await stubborn.knex.raw('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    let runs = 0;
    await runInTransaction(stubborn, async (trx) => {
      runs += 1;
      await selectRows(trx, 'SELECT amount FROM thing WHERE id = 1');
      if (runs === 1) await changeRows(things.fresh.db.knex, 'UPDATE thing SET amount = amount - 10 WHERE id = 1');
      await add(trx, 1, 1);
    });
    expect(await things.amounts()).toMatchObject({ 1: 41 });
    const [server] = await selectRows<{ snapshots: string | null }>(
      things.fresh.db.knex,
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
    expect(await things.amounts()).toMatchObject({ 1: 0 });
  });

  it('INV-01: when a version has moved since it was read, then the repeat reads the present one', async () => {
    const seen: number[] = [];
    await runInTransaction(db, async (trx) => {
      const [row] = await selectRows<{ amount: number }>(trx, 'SELECT amount FROM thing WHERE id = 1');
      seen.push(row?.amount ?? 0);
      if (seen.length === 1) await changeRows(things.fresh.db.knex, 'UPDATE thing SET amount = 7 WHERE id = 1');
      const changed = await changeRows(trx, 'UPDATE thing SET amount = amount - 1 WHERE id = 1 AND amount = ?', [
        row?.amount,
      ]);
      if (changed === 0) throw raceError(1020);
    });
    expect(seen).toEqual([50, 7]);
    expect(await things.amounts()).toMatchObject({ 1: 6 });
  });

  it('when COMMIT itself is refused, then the whole unit is done again, and what the server may still hold open is never committed', async () => {
    await using proxy = await StatementProxy.before(things.fresh.url);
    const proxied = things.fresh.another({ url: proxy.url, poolMax: 1 });
    proxy.strike('COMMIT;', 'dead-lock');
    let runs = 0;
    await runInTransaction(proxied, async (trx) => {
      runs += 1;
      await changeRows(trx, 'INSERT INTO thing VALUES (?, 1)', [runs + 2]);
    });
    expect(runs).toBe(2);
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50, 4: 1 });
  });
});
