import { changeRows, selectRows } from '../database/rows.js';
import { freshDatabase, type FreshDatabase } from '../testkit/fresh-database.js';
import { keepPartitions } from './partitions.js';

let fresh: FreshDatabase;
beforeEach(async () => {
  fresh = await freshDatabase();
});
afterEach(() => fresh[Symbol.asyncDispose]());

const TABLE = 'producer_message_archive';

const partitions = async (table: string = TABLE): Promise<string[]> =>
  (
    await selectRows<{ name: string }>(
      fresh.db.knex,
      `SELECT PARTITION_NAME AS name FROM information_schema.PARTITIONS
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY PARTITION_ORDINAL_POSITION`,
      [table],
    )
  ).map(({ name }) => name);

const archive = (id: number, day: string): Promise<number> =>
  changeRows(
    fresh.db.knex,
    `INSERT INTO ${TABLE} (id, message_id, task_name, channel, exchange, routing_key, content, status, house_number,
                           retry_count, max_retry_count, lost_count, create_time, update_time, version, archive_time)
     VALUES (?, ?, 't', 'rabbitmq', 'e', 'r', '{}', 'SENT', 1, 0, 5, 0, ?, ?, 2, NOW(3))`,
    [id, `m-${String(id)}`, `${day} 12:00:00`, `${day} 12:00:00`],
  );
const rowsLeft = async (): Promise<string[]> =>
  (await selectRows<{ id: string }>(fresh.db.knex, `SELECT id FROM ${TABLE} ORDER BY id`)).map(({ id }) => id);

describe('the archive is kept by the day', () => {
  it('when rows are in the last partition already, then making days loses none of them, in both archives', async () => {
    await archive(1, '2026-01-01');
    await archive(2, '2026-01-05');
    const plan = await keepPartitions(fresh.db, TABLE, 30, '2026-01-05');
    expect(plan?.add).toHaveLength(8);
    expect(await partitions()).toEqual([
      ...Array.from({ length: 8 }, (_, day) => `p202601${String(day + 5).padStart(2, '0')}`),
      'p_last',
    ]);
    expect(await rowsLeft()).toEqual(['1', '2']);
    await keepPartitions(fresh.db, 'consumer_message_archive', 30);
    expect(await partitions('consumer_message_archive')).toHaveLength(9);
  });

  it('when days are over, then they go with their partition, the others stay, and doing it again does nothing', async () => {
    await keepPartitions(fresh.db, TABLE, 30, '2026-01-01');
    await archive(1, '2026-01-01');
    await archive(2, '2026-01-03');
    await archive(3, '2026-01-04');
    expect((await keepPartitions(fresh.db, TABLE, 2, '2026-01-05'))?.drop).toEqual(['2026-01-01', '2026-01-02']);
    expect(await rowsLeft()).toEqual(['2', '3']);
    expect(await keepPartitions(fresh.db, TABLE, 2, '2026-01-05')).toEqual({ add: [], drop: [] });
  });

  it('when three processes do it at once, then one of them does and the days are there once', async () => {
    const plans = await Promise.all([1, 2, 3].map(() => keepPartitions(fresh.another(), TABLE, 30)));
    expect(plans.filter((plan) => plan !== null && plan.add.length > 0)).toHaveLength(1);
    expect(await partitions()).toHaveLength(9);
  });

  it('when somebody reads the archive for long, then making days gives up instead of holding everybody up', async () => {
    const reader = await fresh.db.knex.transaction();
    await reader.raw(`SELECT * FROM ${TABLE}`);
    await expect(keepPartitions(fresh.db, TABLE, 30)).rejects.toMatchObject({ errno: 1205 });
    await archive(1, '2026-01-01');
    await reader.rollback();
    expect((await keepPartitions(fresh.db, TABLE, 30))?.add).toHaveLength(8);
  });
});
