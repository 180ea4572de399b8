import { changeRows, selectRows } from '../database/rows.js';
import { createEvents } from '../observe/events.js';
import { createLoop } from '../service/loop.js';
import { eventually } from '../testkit/eventually.js';
import { StatementProxy } from '../testkit/statement-proxy.js';
import { TableWorld } from '../testkit/table-world.js';
import { createBacklogGuard } from './backlog-guard.js';
import { createConsumerSweep, createProducerSweep } from './lease-sweep.js';

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

const addMessage = (id: number, status: string): Promise<number> =>
  changeRows(
    world.db.knex,
    `INSERT INTO producer_message (id, message_id, task_name, channel, exchange, routing_key, content, status, house_number, next_retry_time, create_time, update_time)
     VALUES (?, ?, 't', 'rabbitmq', 'e', 'r', '{}', ?, 1, NOW(3) - INTERVAL 1 SECOND, NOW(3), NOW(3))`,
    [id, `m-${String(id)}`, status],
  );
const addNote = (): Promise<number> =>
  changeRows(
    world.db.knex,
    `INSERT INTO consumer_message (message_id, consumer, received_by, exchange, routing_key, content, status, next_retry_time, first_consume_time, last_consume_time)
     VALUES ('n-1', 'effect', 'q', 'e', 'r', '{}', 'RETRYING', NOW(3) - INTERVAL 1 SECOND, NOW(3), NOW(3))`,
  );
const noteStatus = async (): Promise<string | undefined> =>
  (await selectRows<{ status: string }>(world.db.knex, 'SELECT status FROM consumer_message'))[0]?.status;

describe('RLY-03: a loop outlives every error', () => {
  it('RLY-03: when the first looks of both sweeps fail, then they go on, turn, and end the leases', async () => {
    await using proxy = await StatementProxy.before(world.fresh.url);
    const db = world.fresh.another({ url: proxy.url });
    proxy.strike('producer_message', 'cut-before', 2);
    proxy.strike('consumer_message', 'cut-before', 2);
    await addMessage(1, 'SENDING');
    await addNote();
    const failed: string[] = [];
    db.events.on('loopFailed', ({ loop }) => failed.push(loop));
    const sweeps = [createProducerSweep(db, 400), createConsumerSweep(db, 400)];
    for (const sweep of sweeps) await sweep.start();
    await world.until('m-1', ({ status, lostCount }) => status === 'PENDING' && lostCount === 1);
    await eventually(async () => (await noteStatus()) === 'PENDING_RETRY');
    expect(failed.sort()).toEqual(['consumer-sweep', 'consumer-sweep', 'producer-sweep', 'producer-sweep']);
    expect(sweeps.every((sweep) => sweep.isTurning())).toBe(true);
    for (const sweep of sweeps) await sweep.stop();
  });

  it('RLY-03: when the backlog cannot be counted for a while, then its guard goes on afterwards', async () => {
    await using proxy = await StatementProxy.before(world.fresh.url);
    const db = world.fresh.another({ url: proxy.url });
    proxy.strike('COUNT(*)', 'cut-before', 2);
    for (let id = 1; id <= 3; id += 1) await addMessage(id, 'PENDING');
    const { loop, isFull } = createBacklogGuard(db, 3);
    await loop.start();
    await eventually(isFull);
    await changeRows(world.db.knex, 'DELETE FROM producer_message WHERE id = 1');
    await eventually(() => !isFull());
    await loop.stop();
  });

  it('RLY-03: when a step throws something that is no error, then the loop says so and goes on', async () => {
    const events = createEvents();
    const failures: Error[] = [];
    events.on('loopFailed', ({ error }) => failures.push(error));
    let passes = 0;
    const loop = createLoop({
      name: 'l',
      events,
      periodMs: 1,
      restAfterErrorMs: 1,
      step: () => {
        passes += 1;
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever a library throws
        return passes < 3 ? Promise.reject(undefined) : Promise.resolve(1);
      },
    });
    await loop.start();
    await eventually(() => passes > 5);
    await loop.stop();
    expect(failures).toHaveLength(2);
  });
});

it('RLY-15: when a pass takes longer than its period, then the next one waits for it, and stopping waits too', async () => {
  let running = 0;
  let most = 0;
  let passes = 0;
  const loop = createLoop({
    name: 'l',
    events: createEvents(),
    periodMs: 1,
    step: async () => {
      running += 1;
      most = Math.max(most, running);
      await world.db.knex.raw('SELECT SLEEP(0.03)');
      running -= 1;
      passes += 1;
      return 1;
    },
  });
  await Promise.all([loop.start(), loop.start()]);
  await eventually(() => passes >= 5);
  await loop.stop();
  expect(running).toBe(0);
  expect(most).toBe(1);
});

it('RLY-14: when messages wait for the broker’s answer, then no transaction is open on the database', async () => {
  world.channel.automatic = null;
  for (let id = 1; id <= 20; id += 1) await addMessage(id, 'PENDING');
  await world.relay();
  await world.channel.whenSent(20);
  const open = (): Promise<unknown[]> =>
    selectRows(
      world.db.knex,
      `SELECT trx_id FROM information_schema.innodb_trx JOIN information_schema.processlist ON id = trx_mysql_thread_id
        WHERE db = DATABASE() AND id <> CONNECTION_ID()`,
    );
  await eventually(async () => (await open()).length === 0, 5_000, 150);
  expect((await world.rows()).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'SENDING'));
});
