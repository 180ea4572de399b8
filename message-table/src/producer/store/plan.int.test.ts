import { claimForRetry, markFailure, markSuccess, putOff } from '../../consumer/store/retry-claim.js';
import { sweepConsumerLeases } from '../../consumer/store/sweep.js';
import { findKnown } from '../../consumer/store/notes.js';
import type { RetryClaim } from '../../consumer/consumer-message.js';
import type { Database } from '../../database/database.js';
import { changeRows, selectRows } from '../../database/rows.js';
import { runInTransaction } from '../../database/transaction.js';
import { freshDatabase, type FreshDatabase } from '../../testkit/fresh-database.js';
import { planOf, rowsTouched, statementsOf, type PlanStep, type Said } from '../../testkit/query-plans.js';
import { retryMessage } from './actions.js';
import { claimBatch, claimSuspect, type ClaimOptions } from './claim.js';
import { pullForward } from './park.js';
import { countPending, housesDue, readContents } from './read.js';
import { DEFAULT_RETRY_POLICY } from './retry-policy.js';
import { settle } from './settle.js';
import { sweepProducerLeases } from './sweep.js';
import { BATCH, claimsOf, everySettlement, fill, OPTIONS, PRODUCER_ROW } from './testing/many-rows.js';

const SIZES = [0, 40, 10_000, ...(process.env['PLAN_ROWS'] === undefined ? [] : [Number(process.env['PLAN_ROWS'])])];
jest.setTimeout(Math.max(30_000, Number(process.env['PLAN_ROWS'] ?? 0) / 4));

let fresh: FreshDatabase;
let db: Database;
/** Changes whole tables, which takes longer than anything that the product does. */
let filler: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  filler = fresh.another({ deadlineMs: 600_000 });
});
afterAll(() => fresh[Symbol.asyncDispose]());

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

const rowsIn = (status: string, limit: number) =>
  selectRows<{ id: string; version: number }>(
    fresh.db.knex,
    'SELECT id, version FROM producer_message WHERE status = ? ORDER BY id LIMIT ?',
    [status, limit],
  );

describe.each(SIZES)('with %d rows', (count) => {
  beforeAll(async () => {
    await fill(filler, count);
    db = fresh.another({ poolMax: 1, deadlineMs: 60_000 });
  });

  it('DB-03: when rows are claimed, then the claim walks its index, sorts nothing and touches no more than its batch', async () => {
    let touched = 0;
    const said = await statementsOf(db, 'producer_message', async () => {
      for (const houses of [[0], [1, 2]]) touched += await rowsTouched(db, () => claimBatch(db, houses, OPTIONS));
    });
    await expectPlans('producer_message', said);
    expect(touched).toBeLessThan(2 * 10 * BATCH);
  });

  it('DB-03: when there are exactly as many rows in the status as ids, then each settle still goes by the primary key', async () => {
    await changeRows(
      filler.knex,
      `UPDATE producer_message SET status = 'SENT', next_retry_time = NULL WHERE status = 'SENDING' AND id > ?`,
      [count / 2 + BATCH],
    );
    await filler.knex.raw('ANALYZE TABLE producer_message');
    const claims = claimsOf(await rowsIn('SENDING', 500));
    const said = await statementsOf(db, 'producer_message', () =>
      settle(db, DEFAULT_RETRY_POLICY, everySettlement(claims)),
    );
    await expectPlans('producer_message', said);
    await changeRows(
      filler.knex,
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
      await claimBatch(db, [2], parking);
      await pullForward(db, 'x', () => true);
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
