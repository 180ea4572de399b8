import { once } from 'node:events';

import { changeRows } from '../database/rows.js';
import { lookAtOutbox } from '../producer/store/look.js';
import { lookAtInbox } from '../consumer/store/look.js';
import { oldestTransactionMs } from '../database/oldest-transaction.js';
import type { MessageTableEventMap } from '../observe/events.js';
import { eventually } from '../testkit/eventually.js';
import { TableWorld } from '../testkit/table-world.js';
import { createTableWatch } from './table-watch.js';

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

const addMessage = (id: number, status: string, ageS: number, dueInS: number | null): Promise<number> =>
  changeRows(
    world.db.knex,
    `INSERT INTO producer_message (id, message_id, task_name, channel, exchange, routing_key, content, status, house_number, next_retry_time, create_time, update_time)
     VALUES (?, ?, 't', 'rabbitmq', 'e', 'r', '{}', ?, ?, NOW(3) + INTERVAL ? SECOND, NOW(3) - INTERVAL ? SECOND, NOW(3))`,
    [id, `m-${String(id)}`, status, id % 10, dueInS, ageS],
  );
const addNote = (id: number, status: string, dueInS: number | null): Promise<number> =>
  changeRows(
    world.db.knex,
    `INSERT INTO consumer_message (message_id, consumer, received_by, exchange, routing_key, content, status, next_retry_time, first_consume_time, last_consume_time)
     VALUES (?, 'effect', 'q', 'e', 'r', '{}', ?, NOW(3) + INTERVAL ? SECOND, NOW(3), NOW(3))`,
    [`n-${String(id)}`, status, dueInS],
  );

describe('the gauges of the tables', () => {
  it('when nothing is in the tables, then everything is 0', async () => {
    const nothing = {
      waiting: 0,
      waitingIn: Array.from({ length: 10 }, () => 0),
      oldestMs: 0,
      overdueMs: 0,
      failed: 0,
    };
    expect(await lookAtOutbox(world.db.knex, 10)).toEqual(nothing);
    expect(await lookAtInbox(world.db.knex, 10)).toEqual({ redeliveries: 0, failed: 0 });
  });

  it('when messages wait, are put off, are sent and have failed, then each is counted where it belongs', async () => {
    await addMessage(1, 'SENT', 900, null);
    await addMessage(2, 'PENDING', 600, 300);
    await addMessage(3, 'PENDING', 120, -60);
    await addMessage(4, 'SENDING', 30, 20);
    await addMessage(5, 'FAILED', 800, null);
    const { oldestMs, overdueMs, ...counts } = await lookAtOutbox(world.db.knex, 10);
    expect(counts).toEqual({ waiting: 3, waitingIn: [0, 0, 1, 1, 1, 0, 0, 0, 0, 0], failed: 1 });
    expect(oldestMs).toBeGreaterThanOrEqual(600_000);
    expect(oldestMs).toBeLessThan(700_000);
    expect(overdueMs).toBeGreaterThanOrEqual(60_000);
    expect(overdueMs).toBeLessThan(100_000);
  });

  it('when more waits than it may count, then it stops there', async () => {
    for (let id = 1; id <= 5; id += 1) await addMessage(id, 'PENDING', 1, -1);
    expect(await lookAtOutbox(world.db.knex, 3)).toMatchObject({ waiting: 3 });
  });

  it('when notes wait and have failed, then each is counted where it belongs', async () => {
    await addNote(1, 'SUCCESS', null);
    await addNote(2, 'PENDING_RETRY', 5);
    await addNote(3, 'RETRYING', 5);
    await addNote(4, 'FAILED', null);
    expect(await lookAtInbox(world.db.knex, 10)).toEqual({ redeliveries: 2, failed: 1 });
  });

  it('when somebody leaves a transaction open, then its age shows', async () => {
    await addMessage(1, 'PENDING', 1, -1);
    const other = world.fresh.another();
    const transaction = await other.knex.transaction();
    try {
      await transaction.raw('SELECT id FROM producer_message FOR UPDATE');
      await eventually(async () => ((await oldestTransactionMs(world.db.knex)) ?? 0) >= 1_000);
    } finally {
      await transaction.rollback();
    }
  });

  it('when the watch turns, then it reports what it saw', async () => {
    await addMessage(1, 'PENDING', 1, -1);
    const watch = createTableWatch(world.db);
    const seen = once(world.db.events, 'tablesSeen') as Promise<MessageTableEventMap['tablesSeen']>;
    await watch.start();
    const [{ outbox, inbox }] = await seen;
    await watch.stop();
    expect(outbox.waiting).toBe(1);
    expect(inbox.failed).toBe(0);
  });
});
