import { claimForRetry, markFailure, markSuccess, putOff } from '../../consumer/store/retry-claim.js';
import { sweepConsumerLeases } from '../../consumer/store/sweep.js';
import { findKnown } from '../../consumer/store/notes.js';
import type { RetryClaim } from '../../consumer/consumer-message.js';
import type { Database } from '../../database/database.js';
import { changeRows, selectRows } from '../../database/rows.js';
import { runInTransaction, type Transaction } from '../../database/transaction.js';
import { eventually } from '../../testkit/eventually.js';
import { freshDatabase, type FreshDatabase } from '../../testkit/fresh-database.js';
import { multiply, planOf, rowsTouched, statementsOf, type PlanStep, type Said } from '../../testkit/query-plans.js';
import { asClaim, type Claim } from '../producer-message.js';
import { retryMessage } from './actions.js';
import { claimBatch, claimSuspect, type ClaimOptions } from './claim.js';
import { insertRows } from './insert.js';
import { pullForward } from './park.js';
import { countPending, housesDue, readContents } from './read.js';
import { DEFAULT_RETRY_POLICY } from './retry-policy.js';
import { settle, type Settling } from './settle.js';
import { sweepProducerLeases } from './sweep.js';

const BATCH = 20;
const SIZES = [0, 40, 10_000, ...(process.env['PLAN_ROWS'] === undefined ? [] : [Number(process.env['PLAN_ROWS'])])];
const OPTIONS: ClaimOptions = {
  limit: BATCH,
  leaseMs: 30_000,
  claimedBy: 'plan',
  byteBudget: 1_000_000,
  obstacle: () => null,
  suspectsKept: 5,
};

jest.setTimeout(Math.max(30_000, Number(process.env['PLAN_ROWS'] ?? 0) / 4));

let fresh: FreshDatabase;
let db: Database;
/** Changes whole tables, which takes longer than anything that the product does. */
let filler: Database['knex'];

beforeAll(async () => {
  fresh = await freshDatabase();
  filler = fresh.another({ deadlineMs: 600_000 }).knex;
});
afterAll(() => fresh[Symbol.asyncDispose]());

const PRODUCER_ROW = {
  taskName: 't',
  channel: 'rabbitmq',
  exchange: 'e',
  routingKey: 'r',
  channelConfig: null,
  content: '{}',
  headers: null,
  status: 'PENDING',
  maxRetryCount: 5,
  actsInMs: 0,
  claimedBy: null,
} as const;

/** Half of the messages due, half with a lease that ended; of the notes as well. */
async function fill(count: number): Promise<void> {
  for (const table of ['producer_message', 'consumer_message'] as const)
    await changeRows(filler, `DELETE FROM ${table}`);
  if (count === 0) return;
  await insertRows(filler, [{ ...PRODUCER_ROW, id: '1', messageId: 'copy-1' }]);
  await changeRows(
    filler,
    `INSERT INTO consumer_message (id, message_id, consumer, received_by, exchange, routing_key, content, status, next_retry_time, first_consume_time, last_consume_time)
     VALUES (1, 'copy-1', 'effect', 'q', 'e', 'r', '{}', 'PENDING_RETRY', NOW(3), NOW(3), NOW(3))`,
  );
  for (const table of ['producer_message', 'consumer_message'] as const) await multiply(filler, table, count);
  await changeRows(
    filler,
    `UPDATE producer_message SET status = 'SENDING', next_retry_time = NOW(3) - INTERVAL 1 SECOND WHERE id > ?`,
    [count / 2],
  );
  await changeRows(
    filler,
    `UPDATE consumer_message SET status = 'RETRYING', next_retry_time = NOW(3) - INTERVAL 1 SECOND WHERE id > ?`,
    [count / 2],
  );
}

const nothingToDo = ({ extra }: PlanStep): boolean => /no matching row|impossible/i.test(extra);

async function expectPlans(table: string, said: readonly Said[]): Promise<void> {
  for (const statement of said) {
    if (/^\s*INSERT/.test(statement.sql)) continue;
    const wanted = /FORCE INDEX \((\w+)\)/.exec(statement.sql)?.[1];
    const steps = (await planOf(fresh.db, table, statement)).filter((step) => !nothingToDo(step));
    for (const { key, access, extra } of steps.filter((step) => step.access !== null)) {
      const facts = { sql: statement.sql.trim().slice(0, 60), key, access, extra };
      expect(facts).toMatchObject({ key: wanted ?? expect.any(String) });
      expect(facts).not.toMatchObject({ extra: expect.stringMatching(/filesort|temporary/i) });
      expect(['const', 'eq_ref', 'ref', 'range', 'index_subquery', 'index']).toContain(access);
    }
  }
}

const claimsOf = (rows: readonly { id: string; version: number }[]): Claim[] =>
  rows.map(({ id, version }) =>
    asClaim({ id, version, messageId: '', retryCount: 0, maxRetryCount: 5, leaseEndsMs: 1e15 }),
  );

const everySettlement = (claims: readonly Claim[]): Settling[] =>
  claims.map((claim, n) => {
    const settlement: Settling['settlement'][] = [
      { to: 'SENT' },
      { to: 'PENDING', why: 'refused', reason: 'r' },
      { to: 'PENDING', why: 'unknown', reason: 'u', suspect: false },
      { to: 'PENDING', why: 'given-back' },
      { to: 'FAILED', reason: 'f', attemptUsed: true },
    ];
    return { claim, settlement: settlement[n % settlement.length] ?? { to: 'SENT' } };
  });

const rowsIn = (status: string, limit: number) =>
  selectRows<{ id: string; version: number }>(
    fresh.db.knex,
    'SELECT id, version FROM producer_message WHERE status = ? ORDER BY id LIMIT ?',
    [status, limit],
  );

describe.each(SIZES)('with %d rows', (count) => {
  beforeAll(async () => {
    await fill(count);
    db = fresh.another({ poolMax: 1, deadlineMs: 60_000 });
  });

  it('DB-03: when rows are claimed, then the claim walks its index, sorts nothing and touches no more than its batch', async () => {
    let touched = 0;
    const said = await statementsOf(db, 'producer_message', async () => {
      for (const house of [0, 1]) touched += await rowsTouched(db, () => claimBatch(db, house, OPTIONS));
    });
    await expectPlans('producer_message', said);
    expect(touched).toBeLessThan(2 * 10 * BATCH);
  });

  it('DB-03: when there are exactly as many rows in the status as ids, then each settle still goes by the primary key', async () => {
    await changeRows(
      filler,
      `UPDATE producer_message SET status = 'SENT', next_retry_time = NULL WHERE status = 'SENDING' AND id > ?`,
      [count / 2 + BATCH],
    );
    await filler.raw('ANALYZE TABLE producer_message');
    const claims = claimsOf(await rowsIn('SENDING', 500));
    const said = await statementsOf(db, 'producer_message', () =>
      settle(db, DEFAULT_RETRY_POLICY, everySettlement(claims)),
    );
    await expectPlans('producer_message', said);
    await changeRows(
      filler,
      `UPDATE producer_message SET status = 'SENDING', next_retry_time = NOW(3) - INTERVAL 1 SECOND WHERE id > ?`,
      [count / 2],
    );
  });

  it('when an idle relay or sweep looks for work, then it dives ten times into the index and reads nothing else', async () => {
    for (const status of ['PENDING', 'SENDING'] as const) {
      const touched = await rowsTouched(db, () => housesDue(db.knex, status));
      expect(touched).toBeLessThan(120);
      await expectPlans(
        'producer_message',
        await statementsOf(db, 'producer_message', () => housesDue(db.knex, status)),
      );
    }
  });

  it('when the backlog is counted, then no further than the limit', async () => {
    expect(await rowsTouched(db, () => countPending(db.knex, 100))).toBeLessThan(350);
    await expectPlans('producer_message', await statementsOf(db, 'producer_message', () => countPending(db.knex, 100)));
  });

  it('when leases are swept, rows parked and pulled forward, contents read and a person acts, then each goes by its index', async () => {
    const parking: ClaimOptions = { ...OPTIONS, obstacle: () => ({ parkedFor: 'x', ms: 60_000 }) };
    const said = await statementsOf(db, 'producer_message', async () => {
      await sweepProducerLeases(db);
      await claimBatch(db, 2, parking);
      await pullForward(db, 'x');
      const [row] = await rowsIn('PENDING', 1);
      if (row === undefined) return;
      await claimSuspect(db, { ...PRODUCER_ROW, ...row, messageId: '', retryCount: 0 }, OPTIONS);
      await readContents(db.knex, [row.id]);
      await retryMessage(db, 'copy-1', { who: 'w', why: 'y' }, 1e12);
    });
    expect(said.length).toBeGreaterThan(2);
    await expectPlans('producer_message', said);
  });

  it('when notes are swept, claimed and settled, then each goes by its index and a claim touches a handful of rows', async () => {
    const claiming = { consumers: ['effect'], leaseMs: () => 30_000 };
    const claims: RetryClaim[] = [];
    const take = async (): Promise<void> => {
      const claim = await claimForRetry(db, claiming);
      if (claim !== null) claims.push(claim);
    };
    const said = await statementsOf(db, 'consumer_message', async () => {
      expect(await rowsTouched(db, take)).toBeLessThan(20);
      await take();
      await take();
      const [first, second, third] = claims;
      if (first !== undefined) await runInTransaction(db, (trx) => markSuccess(trx, first));
      if (second !== undefined)
        await markFailure(db, second, { to: 'PENDING_RETRY', reason: 'r' }, DEFAULT_RETRY_POLICY);
      if (third !== undefined) await putOff(db, third, 1_000);
      await findKnown(db.knex, 'effect', ['copy-1', 'copy-2']);
      await sweepConsumerLeases(db);
    });
    await expectPlans('consumer_message', said);
  });
});

async function transactionOf(trx: Transaction): Promise<{ rows: string; level: string } | undefined> {
  const sql = `SELECT trx_rows_locked AS \`rows\`, trx_isolation_level AS level
                 FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()`;
  return (await selectRows<{ rows: string; level: string }>(trx, sql))[0];
}

describe('what a claim locks', () => {
  beforeAll(async () => {
    await fill(10_000);
    db = fresh.another();
  });

  it('DB-03: when one relay holds its claim open, then another gets other rows at once, an insert is not held up, and few rows are locked', async () => {
    const [select] = await statementsOf(db, 'producer_message', () => claimBatch(db, 0, { ...OPTIONS, limit: 10 }));
    const held = await fresh.db.knex.transaction();
    const mine = await selectRows<{ id: string }>(held, select?.sql ?? '', select?.bindings ?? []);
    expect(mine).toHaveLength(10);
    const other = fresh.another({ lockWaitS: 1 });
    const locked = await eventually(() => transactionOf(held), 5_000, 150);
    expect(Number(locked.rows)).toBeLessThan(60);
    const { claims } = await claimBatch(other, 0, { ...OPTIONS, limit: 10 });
    expect(claims).toHaveLength(10);
    expect(claims.filter(({ id }) => mine.some((row) => row.id === id))).toEqual([]);
    await insertRows(other.knex, [{ ...PRODUCER_ROW, id: '9999999', messageId: 'new' }]);
    await held.rollback();
  });

  it('DB-15: when a claim runs, then it runs at READ COMMITTED', async () => {
    const [select] = await statementsOf(db, 'producer_message', () => claimBatch(db, 1, { ...OPTIONS, limit: 1 }));
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
          const { claims } = await claimBatch(worker, pass % 10, { ...OPTIONS, limit: 100 });
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
