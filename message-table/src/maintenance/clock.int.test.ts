import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { changeRows, selectRows } from '../database/rows.js';
import { TableWorld } from '../testkit/table-world.js';
import { snowflakeTimeMs } from './snowflake.js';

const TESTKIT = join(__dirname, '..', 'testkit');
const COMPONENT = join(__dirname, '..', '..', 'dist', 'index.js');

interface Facts {
  readonly ids: readonly string[];
  readonly now: number;
  readonly zoneMin: number;
  readonly sent: readonly string[];
}

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

async function elsewhere(shiftMs: number, zone: string): Promise<Facts> {
  const args = ['--require', join(TESTKIT, 'clock-shift.cjs'), join(TESTKIT, 'shifted-process.cjs')];
  const env = { ...process.env, COMPONENT, DATABASE_URL: world.fresh.url, SHIFT_MS: String(shiftMs), TZ: zone };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout) as Facts;
}

async function databaseNowMs(): Promise<number> {
  const [row] = await selectRows<{ nowMs: string }>(world.db.knex, 'SELECT UNIX_TIMESTAMP(NOW(3)) * 1000 AS nowMs');
  return Number(row?.nowMs);
}

/** A row that a live process holds: its lease ends in 29 s. */
const holdOne = (): Promise<number> =>
  changeRows(
    world.db.knex,
    `INSERT INTO producer_message (id, message_id, task_name, channel, exchange, routing_key, content, status, house_number, next_retry_time, create_time, update_time)
     VALUES (1, 'held', 't', 'rabbitmq', 'e', 'r', '{}', 'SENDING', 1, NOW(3) + INTERVAL 29 SECOND, NOW(3), NOW(3))`,
  );

it.each([
  [600_000, 'America/Sao_Paulo'],
  [-600_000, 'America/Sao_Paulo'],
  [90_000, 'Asia/Kathmandu'],
])(
  'DB-07: when the clock of a process is off by %d ms and its zone is %s, then due times, leases and ids are the database’s',
  async (shiftMs, zone) => {
    await holdOne();
    const { ids, now, zoneMin, sent } = await elsewhere(shiftMs, zone);
    const nowMs = await databaseNowMs();
    expect(Math.abs(now - Date.now() - shiftMs)).toBeLessThan(20_000);
    expect(zoneMin).not.toBe(0);
    expect(sent).toEqual(['now']);
    const later = await world.row('later');
    expect(later).toMatchObject({ status: 'PENDING', version: 0 });
    expect(later.dueInMs).toBeGreaterThan(40_000);
    expect(later.dueInMs).toBeLessThanOrEqual(60_000);
    expect(await world.row('held')).toMatchObject({ status: 'SENDING', version: 0 });
    expect(await world.row('now')).toMatchObject({ status: 'SENT' });
    for (const id of ids) expect(Math.abs(snowflakeTimeMs(id) - nowMs)).toBeLessThan(20_000);
  },
);

it('DB-07: when the server’s own zone is another one, then our sessions are at UTC all the same', async () => {
  const [row] = await selectRows<{ zone: string; gap: string }>(
    world.db.knex,
    'SELECT @@session.time_zone AS zone, TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), NOW()) AS gap',
  );
  expect(row).toMatchObject({ zone: '+00:00' });
  expect(Number(row?.gap)).toBe(0);
});
