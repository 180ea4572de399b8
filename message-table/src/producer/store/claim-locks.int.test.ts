import type { Database } from '../../database/database.js';
import { selectRows } from '../../database/rows.js';
import type { Transaction } from '../../database/transaction.js';
import { eventually } from '../../testkit/eventually.js';
import { freshDatabase, type FreshDatabase } from '../../testkit/fresh-database.js';
import { statementsOf } from '../../testkit/query-plans.js';
import { claimBatch } from './claim.js';
import { insertRows } from './insert.js';
import { DEFAULT_RETRY_POLICY } from './retry-policy.js';
import { settle } from './settle.js';
import { sweepProducerLeases } from './sweep.js';
import { everySettlement, fill, OPTIONS, PRODUCER_ROW } from './testing/many-rows.js';

let fresh: FreshDatabase;
let db: Database;

afterAll(() => fresh[Symbol.asyncDispose]());

async function transactionOf(trx: Transaction): Promise<{ rows: string; level: string } | undefined> {
  const sql = `SELECT trx_rows_locked AS \`rows\`, trx_isolation_level AS level
                 FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()`;
  return (await selectRows<{ rows: string; level: string }>(trx, sql))[0];
}

/** All ten houses, beginning at another one each time. */
const from = (pass: number): number[] => Array.from({ length: 10 }, (_, house) => (house + pass) % 10);

describe('what a claim locks', () => {
  beforeAll(async () => {
    fresh = await freshDatabase();
    db = fresh.another();
    await fill(db, 10_000);
  });

  it('DB-03: when one relay holds its claim open, then another gets other rows at once, an insert is not held up, and few rows are locked', async () => {
    const [select] = await statementsOf(db, 'producer_message', () => claimBatch(db, [0], { ...OPTIONS, limit: 10 }));
    const held = await fresh.db.knex.transaction();
    const mine = await selectRows<{ id: string }>(held, select?.sql ?? '', select?.bindings ?? []);
    expect(mine).toHaveLength(10);
    const other = fresh.another({ lockWaitS: 1 });
    const locked = await eventually(() => transactionOf(held), 5_000, 150);
    expect(Number(locked.rows)).toBeLessThan(60);
    const { claims } = await claimBatch(other, [0], { ...OPTIONS, limit: 10 });
    expect(claims).toHaveLength(10);
    expect(claims.filter(({ id }) => mine.some((row) => row.id === id))).toEqual([]);
    await insertRows(other.knex, [{ ...PRODUCER_ROW, id: '9999999', messageId: 'new' }]);
    await held.rollback();
  });

  it('DB-15: when a claim runs, then it runs at READ COMMITTED', async () => {
    const [select] = await statementsOf(db, 'producer_message', () => claimBatch(db, [1], { ...OPTIONS, limit: 1 }));
    const held = await db.knex.transaction();
    const taken = await selectRows(held, select?.sql ?? '', select?.bindings ?? []);
    expect(taken).toHaveLength(1);
    expect(await eventually(() => transactionOf(held), 5_000, 150)).toMatchObject({ level: 'READ COMMITTED' });
    await held.rollback();
  });

  it('DB-03: when four claimers and settlers and a sweep work on one table, then nobody loses a race', async () => {
    let lost = 0;
    const workers = Array.from({ length: 4 }, () => fresh.another());
    for (const { events } of workers) events.on('transactionRetried', () => (lost += 1));
    await Promise.all(
      workers.map(async (worker) => {
        for (let pass = 0; pass < 20; pass += 1) {
          const { claims } = await claimBatch(worker, from(pass), { ...OPTIONS, limit: 100 });
          await Promise.all([
            settle(worker, DEFAULT_RETRY_POLICY, everySettlement(claims)),
            sweepProducerLeases(worker),
          ]);
        }
      }),
    );
    expect(lost).toBe(0);
  });
});
