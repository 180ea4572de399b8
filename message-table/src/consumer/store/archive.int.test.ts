import type { Database } from '../../database/database.js';
import { changeRows, selectRows } from '../../database/rows.js';
import {
  archiveAll,
  archiveThese,
  HOUR_MS,
  idsIn,
  archiverHolding,
  timesStored,
} from '../../maintenance/testing/archiving.js';
import { freshDatabase, type FreshDatabase } from '../../testkit/fresh-database.js';
import { multiply, planOf, rowsTouched, statementsOf } from '../../testkit/query-plans.js';
import { CONSUMED_NOTES } from './archive.js';

let fresh: FreshDatabase;
let db: Database;
beforeEach(async () => {
  fresh = await freshDatabase([], 'INVENTORY_DB_URL');
  db = fresh.another({ deadlineMs: 60_000 });
});
afterEach(() => fresh[Symbol.asyncDispose]());

/** Notes 1 … count, all SUCCESS; the ids above `old` a minute ago, the others two hours ago. */
async function notes(count: number, old = count): Promise<void> {
  await changeRows(
    db.knex,
    `INSERT INTO consumer_message (id, message_id, consumer, received_by, exchange, routing_key, headers, content,
                                   content_encoding, status, first_consume_time, last_consume_time)
     VALUES (1, 'copy-1', 'effect', 'q ', 'é', 'r', '{"a":1}', 'AA==', 'base64', 'SUCCESS', NOW(3), NOW(3))`,
  );
  await multiply(db.knex, 'consumer_message', count);
  await changeRows(
    db.knex,
    `UPDATE consumer_message
        SET version = id MOD 3, retry_count = id MOD 2, error_msg = IF(id MOD 2 = 0, NULL, '数 '),
            first_consume_time = NOW(3) - INTERVAL IF(id <= ?, 120, 1) MINUTE, last_consume_time = first_consume_time,
            success_time = first_consume_time`,
    [old],
  );
}

const rowsOf = (table: string): Promise<Record<string, unknown>[]> =>
  selectRows(db.knex, `SELECT * FROM ${table} ORDER BY id`);

describe('a note is in the inbox or in the archive, never in both, never in neither', () => {
  it('ARC-03: when old notes are archived, then every column has the value it had, and the young ones keep duplicates out', async () => {
    await notes(20, 12);
    const before = await rowsOf('consumer_message');
    expect(await archiveAll(db, CONSUMED_NOTES)).toEqual([12]);
    const archived = (await rowsOf('consumer_message_archive')).map(({ archive_time: _, ...row }) => row);
    expect(archived).toEqual(before.slice(0, 12));
    expect(await rowsOf('consumer_message')).toEqual(before.slice(12));
  });

  it('ARC-03: when a note is owed, held, FAILED, or took effect only just now, then it stays whatever its age', async () => {
    await notes(6);
    await changeRows(db.knex, `UPDATE consumer_message SET status = 'FAILED' WHERE id = 1`);
    await changeRows(
      db.knex,
      `UPDATE consumer_message SET status = IF(id = 2, 'RETRYING', 'PENDING_RETRY'), next_retry_time = NOW(3) WHERE id IN (2, 3)`,
    );
    await changeRows(db.knex, `UPDATE consumer_message SET last_consume_time = NOW(3) WHERE id = 4`);
    await archiveAll(db, CONSUMED_NOTES);
    expect(await idsIn(db, 'consumer_message')).toEqual(['1', '2', '3', '4']);
  });

  it('ARC-03: when the archiver is killed between the copy and the removal, then nothing moved, and the next one moves each note once', async () => {
    await notes(1_000);
    const archiver = await archiverHolding(fresh.another(), CONSUMED_NOTES, ['1', '2', '3']);
    await archiver.copy();
    await archiveAll(db, CONSUMED_NOTES);
    expect(await idsIn(db, 'consumer_message')).toEqual(['1', '2', '3']);
    await archiver.trx.rollback();
    expect(await archiveThese(db, CONSUMED_NOTES, ['1', '2', '3'])).toBe(3);
    expect(await timesStored(db, 'consumer_message')).toEqual({ 1: 1_000 });
  });
});

it('ARC-01: when notes are archived, then each statement goes by its index, sorts nothing and moves at most a batch', async () => {
  await notes(3_000);
  let moves: number[] = [];
  const said = await statementsOf(db, 'consumer_message', async () => {
    moves = await archiveAll(db, CONSUMED_NOTES);
  });
  expect(moves).toEqual([400, 400, 400, 400, 400, 400, 400, 200]);
  await notes(3_000);
  for (const statement of said.slice(0, 5)) {
    const steps = await planOf(db, 'consumer_message', statement);
    for (const { key, access, extra } of steps.filter((step) => step.key !== null)) {
      const facts = { sql: statement.sql.trim().slice(0, 60), key, access, extra };
      expect(facts).toMatchObject({ key: /FORCE INDEX \((\w+)\)/.exec(statement.sql)?.[1] });
      expect(facts).not.toMatchObject({ extra: expect.stringMatching(/filesort|temporary/i) });
    }
  }
});

it('ARC-02: when most notes are young, then a pass reads one page behind the old ones, and none when all are young', async () => {
  await notes(6_000, 0);
  const one = fresh.another({ poolMax: 1 });
  expect(await rowsTouched(one, () => archiveAll(one, CONSUMED_NOTES))).toBeLessThan(20);
  await changeRows(
    db.knex,
    `UPDATE consumer_message SET first_consume_time = NOW(3) - INTERVAL 2 HOUR, last_consume_time = first_consume_time WHERE id <= 100`,
  );
  const said = await statementsOf(one, 'consumer_message', () => archiveAll(one, CONSUMED_NOTES, HOUR_MS));
  expect(said).toHaveLength(5);
  expect(await idsIn(db, 'consumer_message_archive')).toHaveLength(100);
});
