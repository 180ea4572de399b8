import { setTimeout as sleep } from 'node:timers/promises';

import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

import type { Inject } from '../injection.js';

/** Long over, whatever the archive's retention. */
const OLD = { name: 'p20200101', endsBefore: '2020-01-02', row: '2020-01-01 12:00:00' };
const ATTEMPTS = 5;
/** Whoever is to drop it may take this long to start. */
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 200;

const PARTITIONS = `
  SELECT PARTITION_NAME AS name, PARTITION_DESCRIPTION AS bound
    FROM information_schema.PARTITIONS
   WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'producer_message_archive'
   ORDER BY PARTITION_ORDINAL_POSITION`;

interface Partition extends RowDataPacket {
  readonly name: string;
  /** A quoted date, or MAXVALUE. */
  readonly bound: string;
}

const ROW = `
  INSERT INTO producer_message_archive
    (id, message_id, task_name, channel, exchange, routing_key, content, status, house_number, retry_count, max_retry_count,
     lost_count, create_time, update_time, version, archive_time)
  VALUES (1, 'poison-old-partition', 'inventory.deduct', 'rabbitmq', '', '', '{}', 'SENT', 0, 0, 5, 0, ?, ?, 0, ?)`;

/** A day of years ago, with a row in it, before the days that there are: the next one who keeps the partitions drops it. */
export const oldPartition: Inject<'old-partition'> = async (world) => {
  const connection = await createConnection(world.stack.orderDb.url);
  await connection.query('SET SESSION lock_wait_timeout = 5');
  await divideFirst(connection);
  await connection.query(ROW, [OLD.row, OLD.row, OLD.row]);
  return {
    heal: async () => {
      const left = await withoutOld(connection);
      await connection.end();
      return left === null ? {} : { oldPartitionsDropped: 1, partitionsKept: left.length };
    },
  };
};

async function partitions(connection: Connection): Promise<Partition[]> {
  const [rows] = await connection.query<Partition[]>(PARTITIONS);
  return rows;
}

/** The partitions when the old one is gone; null when it stays. */
async function withoutOld(connection: Connection): Promise<Partition[] | null> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = await partitions(connection);
    if (!left.some(({ name }) => name === OLD.name)) return left;
    if (performance.now() > untilMs) return null;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Repeated when an archive batch was in the way. */
async function divideFirst(connection: Connection): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const [first] = await partitions(connection);
    if (first === undefined) throw new Error('The archive has no partitions');
    try {
      await connection.query(
        `ALTER TABLE producer_message_archive REORGANIZE PARTITION ${first.name} INTO (
           PARTITION ${OLD.name} VALUES LESS THAN ('${OLD.endsBefore}'),
           PARTITION ${first.name} VALUES LESS THAN (${first.bound}))`,
      );
      return;
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error;
    }
  }
}
