import {
  archiveAll,
  archiveThese,
  HOUR_MS,
  idsIn,
  archiverHolding,
  timesStored,
} from '../../maintenance/testing/archiving.js';
import type { Database } from '../../database/database.js';
import { changeRows, selectRows } from '../../database/rows.js';
import { eventually } from '../../testkit/eventually.js';
import { freshDatabase, type FreshDatabase } from '../../testkit/fresh-database.js';
import { planOf, rowsTouched, statementsOf } from '../../testkit/query-plans.js';
import { StatementProxy } from '../../testkit/statement-proxy.js';
import { replayMessage } from './actions.js';
import { SENT_MESSAGES } from './archive.js';
import { sentRows } from './testing/sent-rows.js';

const ANN = { who: 'ann', why: 'once more' };
const WEEK_MS = 7 * 24 * HOUR_MS;

let fresh: FreshDatabase;
let db: Database;
beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
});
afterEach(() => fresh[Symbol.asyncDispose]());

const rowsOf = (table: string): Promise<Record<string, unknown>[]> =>
  selectRows(db.knex, `SELECT * FROM ${table} ORDER BY id`);
const statusOf = async (id: string): Promise<string | undefined> =>
  (await selectRows<{ status: string }>(db.knex, 'SELECT status FROM producer_message WHERE id = ?', [id]))[0]?.status;
const untilSomebodyWaits = (): Promise<unknown> =>
  eventually(
    async () =>
      (await selectRows(db.knex, `SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'`)).length >
      0,
    10_000,
    150,
  );
const replay = (id: string, as: Database = db) => replayMessage(as, `copy-${id}`, ANN, WEEK_MS);

describe('a row is in the live table or in the archive, never in both, never in neither', () => {
  it('ARC-03: when sent rows are archived, then every column has the value it had, byte for byte', async () => {
    await sentRows(db, 20);
    const before = await rowsOf('producer_message');
    expect(await archiveAll(db, SENT_MESSAGES)).not.toEqual([]);
    const after = await rowsOf('producer_message_archive');
    expect(after.map(({ archive_time: _, ...row }) => row)).toEqual(before);
    expect(after.every((row) => row['archive_time'] instanceof Date)).toBe(true);
    expect(await idsIn(db, 'producer_message')).toEqual([]);
  });

  it('ARC-03: when rows are young, owed, held or FAILED, then they stay whatever their age', async () => {
    await sentRows(db, 20, 15);
    await changeRows(db.knex, `UPDATE producer_message SET status = 'FAILED' WHERE id = 1`);
    for (const [status, id] of [
      ['PENDING', 2],
      ['SENDING', 3],
    ])
      await changeRows(
        db.knex,
        `UPDATE producer_message SET status = ?, next_retry_time = NOW(3) - INTERVAL 2 HOUR WHERE id = ?`,
        [status, id],
      );
    await archiveAll(db, SENT_MESSAGES);
    expect(await idsIn(db, 'producer_message')).toEqual(['1', '2', '3', '16', '17', '18', '19', '20']);
  });

  it('ARC-03: when a person replays a row after it was looked at, then it stays live and the others go', async () => {
    await sentRows(db, 5);
    expect(await replay('2')).toBe('done');
    expect(await archiveThese(db, SENT_MESSAGES, ['1', '2', '3'])).toBe(2);
    expect(await statusOf('2')).toBe('PENDING');
    expect(await idsIn(db, 'producer_message_archive')).toEqual(['1', '3']);
    expect(await timesStored(db, 'producer_message')).toEqual({ 1: 5 });
  });

  it('ARC-03: when a person replays a row between the copy and the removal and the archiver is killed, then the row is replayed and nowhere twice', async () => {
    await sentRows(db, 5);
    const archiver = await archiverHolding(fresh.another(), SENT_MESSAGES, ['1', '2', '3']);
    await archiver.copy();
    const replayed = replay('2');
    expect(await archiveAll(fresh.another(), SENT_MESSAGES)).toHaveLength(2);
    expect(await idsIn(db, 'producer_message')).toEqual(['1', '2', '3']);
    await archiver.trx.rollback();
    expect(await replayed).toBe('done');
    expect(await timesStored(db, 'producer_message')).toEqual({ 1: 5 });
    await archiveAll(db, SENT_MESSAGES);
    expect(await idsIn(db, 'producer_message')).toEqual(['2']);
  });

  it('ARC-03: when a person replays a row that is held and not copied yet, and the archiver ends first, then the row comes back', async () => {
    await sentRows(db, 5);
    const archiver = await archiverHolding(fresh.another(), SENT_MESSAGES, ['1', '2', '3']);
    const replayed = replay('2');
    await untilSomebodyWaits();
    await archiver.copy();
    await archiver.remove();
    await archiver.trx.commit();
    expect(await replayed).toBe('done');
    expect(await statusOf('2')).toBe('PENDING');
    expect(await idsIn(db, 'producer_message_archive')).toEqual(['1', '3']);
    expect(await timesStored(db, 'producer_message')).toEqual({ 1: 5 });
  });

  it('ARC-03: when not as many rows were copied as are held, then none is removed', async () => {
    await sentRows(db, 5);
    const sql = { ...SENT_MESSAGES.sql, copy: `${SENT_MESSAGES.sql.copy} AND id <> 2` };
    await expect(archiveThese(db, { ...SENT_MESSAGES, sql }, ['1', '2', '3'])).rejects.toThrow('nothing is archived');
    expect(await idsIn(db, 'producer_message')).toHaveLength(5);
    expect(await timesStored(db, 'producer_message')).toEqual({ 1: 5 });
  });

  it.each([
    ['before the copy', 'INSERT INTO producer_message_archive'],
    ['between the copy and the removal', 'DELETE producer_message FROM'],
    ['before COMMIT', 'COMMIT;'],
  ])(
    'ARC-01: when the line breaks %s, then nothing has moved, and the next pass moves everything once',
    async (_, text) => {
      await sentRows(db, 50);
      await using proxy = await StatementProxy.before(fresh.url);
      const through = fresh.another({ url: proxy.url });
      proxy.strike(text, 'cut-before');
      await expect(archiveThese(through, SENT_MESSAGES, ['1', '2'])).rejects.toThrow();
      expect(await timesStored(db, 'producer_message')).toEqual({ 1: 50 });
      await archiveAll(through, SENT_MESSAGES);
      expect(await idsIn(db, 'producer_message')).toEqual([]);
      expect(await timesStored(db, 'producer_message')).toEqual({ 1: 50 });
    },
  );

  it('ARC-01: when the answer to COMMIT is lost, then what was moved is moved once', async () => {
    await sentRows(db, 50);
    await using proxy = await StatementProxy.before(fresh.url);
    const through = fresh.another({ url: proxy.url });
    proxy.strike('COMMIT;', 'cut-answer');
    await expect(archiveThese(through, SENT_MESSAGES, ['1', '2'])).rejects.toMatchObject({ code: 'COMMIT_UNKNOWN' });
    await archiveAll(through, SENT_MESSAGES);
    expect(await idsIn(db, 'producer_message')).toEqual([]);
    expect(await timesStored(db, 'producer_message')).toEqual({ 1: 50 });
  });

  it('ARC-03: when an archived row is replayed and sent again, then it comes back, and is archived again once', async () => {
    await sentRows(db, 3);
    await archiveAll(db, SENT_MESSAGES);
    expect(await replay('2')).toBe('done');
    expect(await statusOf('2')).toBe('PENDING');
    expect(await timesStored(db, 'producer_message')).toEqual({ 1: 3 });
    await changeRows(
      db.knex,
      `UPDATE producer_message SET status = 'SENT', next_retry_time = NULL, update_time = NOW(3) - INTERVAL 2 HOUR`,
    );
    expect(await archiveAll(db, SENT_MESSAGES)).toEqual([1]);
    expect(await timesStored(db, 'producer_message')).toEqual({ 1: 3 });
  });

  it('ARC-03: when a message id was archived twice, then the newest row is replayed and the other one stays', async () => {
    for (const id of [1, 2]) {
      await sentRows(db, 1);
      await changeRows(db.knex, 'UPDATE producer_message SET id = ?', [id]);
      expect(await archiveAll(db, SENT_MESSAGES)).toEqual([1]);
    }
    expect(await replayMessage(db, 'copy-1', ANN, WEEK_MS)).toBe('done');
    expect(await statusOf('2')).toBe('PENDING');
    expect(await idsIn(db, 'producer_message_archive')).toEqual(['1']);
  });

  it('ARC-01: when three archivers work at once, then each row moves once and nobody loses a race', async () => {
    await sentRows(fresh.another({ deadlineMs: 60_000 }), 2_000);
    let lost = 0;
    const workers = [1, 2, 3].map(() => fresh.another());
    for (const { events } of workers) events.on('transactionRetried', () => (lost += 1));
    const moves = await Promise.all(workers.map((worker) => archiveAll(worker, SENT_MESSAGES)));
    expect(moves.flat().reduce((sum, moved) => sum + moved, 0)).toBe(2_000);
    expect(lost).toBe(0);
    await archiveAll(db, SENT_MESSAGES);
    expect(await timesStored(db, 'producer_message')).toEqual({ 1: 2_000 });
  });
});

describe('what archiving reads', () => {
  const wantedKey = (sql: string): string | undefined => /FORCE INDEX \((\w+)\)/.exec(sql)?.[1];

  it('ARC-01: when rows are archived, then every statement goes by its index, sorts nothing and makes no temporary table', async () => {
    await sentRows(fresh.another({ deadlineMs: 60_000 }), 5_000);
    const said = await statementsOf(db, 'producer_message', () => archiveAll(db, SENT_MESSAGES));
    await sentRows(fresh.another({ deadlineMs: 60_000 }), 5_000);
    for (const statement of [...said.slice(0, 5), ...said.filter(({ sql }) => sql.includes('UNION'))]) {
      for (const { key, access, extra } of await planOf(db, 'producer_message', statement)) {
        const facts = { sql: statement.sql.trim().slice(0, 60), key, access, extra };
        if (access === null || key === null) continue;
        expect(facts).toMatchObject({ key: wantedKey(statement.sql), access: expect.stringMatching(/^(range|ref)$/) });
        expect(facts).not.toMatchObject({ extra: expect.stringMatching(/filesort|temporary/i) });
      }
    }
  });

  it('ARC-02: when no row has the age, then a look costs ten dives, and many rows that were sent just now are read in pages', async () => {
    const one = fresh.another({ poolMax: 1, deadlineMs: 60_000 });
    expect(await rowsTouched(one, () => archiveAll(one, SENT_MESSAGES))).toBeLessThan(150);
    await sentRows(one, 5_000, 0);
    const pages = await statementsOf(one, 'producer_message', () => archiveAll(one, SENT_MESSAGES));
    expect(pages).toHaveLength(1 + 10 * 2);
    // Ids that were made now: the range ends before them.
    await changeRows(one.knex, `UPDATE producer_message SET id = id + 3000000000000000000`);
    expect(await rowsTouched(one, () => archiveAll(one, SENT_MESSAGES))).toBeLessThan(150);
  });

  it('ARC-01: when messages are large, then one transaction moves no more than its bytes', async () => {
    await sentRows(db, 30);
    await changeRows(
      db.knex,
      `UPDATE producer_message SET house_number = 1, content = REPEAT('x', 1000000) WHERE id <= 12`,
    );
    const moves = await archiveAll(db, SENT_MESSAGES);
    expect(Math.max(...moves)).toBeLessThan(25);
    expect(moves.length).toBeGreaterThanOrEqual(3);
    expect(await idsIn(db, 'producer_message')).toEqual([]);
  });
});
