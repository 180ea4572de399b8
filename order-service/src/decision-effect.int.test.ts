import { join } from 'node:path';

import { createRedeliveryTask, Inbox, type Received } from '@counterfoil/message-table';
import { asNumber, changeRows, selectRows } from '@counterfoil/message-table/rows';
import { aReceived, ConsumerWorld, RETRY } from '@counterfoil/message-table/testkit';

import { decisionEffect } from './decision-effect.js';

const MIGRATIONS = join(__dirname, '..', 'migrations');

let world: ConsumerWorld;
let inbox: Inbox;
beforeEach(async () => {
  world = await ConsumerWorld.open([MIGRATIONS], 'ORDER_DB_URL');
  inbox = new Inbox(world.db, decisionEffect(3), { retry: RETRY });
});
afterEach(() => world[Symbol.asyncDispose]());

const aDecision = (orderId: string, outcome: string, reason?: string): Received =>
  aReceived({ consumer: 'order.deduction-decided', body: Buffer.from(JSON.stringify({ orderId, outcome, reason })) });

async function created(...ids: string[]): Promise<void> {
  for (const id of ids) {
    await changeRows(
      world.db.knex,
      `INSERT INTO orders (id, product_id, quantity, request_hash, message_id, status, create_time, update_time)
       VALUES (?, 1, 1, 'hash', ?, 'CREATED', NOW(3), NOW(3))`,
      [asNumber(id), `message-of-${id}`],
    );
  }
}

async function statuses(): Promise<Record<string, string>> {
  const rows = await selectRows<{ id: string; status: string }>(world.db.knex, 'SELECT id, status FROM orders');
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
}

describe('CREATED → CONFIRMED or REJECTED', () => {
  it('when decisions come together, then each order gets its own, with the reason', async () => {
    await created('1', '2', '3');
    const batch = [
      aDecision('1', 'CONFIRMED'),
      aDecision('2', 'REJECTED', 'not enough stock'),
      aDecision('3', 'CONFIRMED'),
    ];
    expect(await inbox.handle(batch)).toEqual(['success', 'success', 'success']);
    expect(await statuses()).toEqual({ 1: 'CONFIRMED', 2: 'REJECTED', 3: 'CONFIRMED' });
    expect(await selectRows(world.db.knex, 'SELECT reason FROM orders WHERE id = 2')).toEqual([
      { reason: 'not enough stock' },
    ]);
  });

  it('when the same outcome comes in another message, then the order stays and the message is done', async () => {
    await created('1');
    await inbox.handle([aDecision('1', 'CONFIRMED')]);
    expect(await inbox.handle([aDecision('1', 'CONFIRMED')])).toEqual(['success']);
    expect(await statuses()).toEqual({ 1: 'CONFIRMED' });
  });

  it.each([
    ['CONFIRMED', 'REJECTED'],
    ['REJECTED', 'CONFIRMED'],
  ])(
    'when an order is %s and a message says %s, then the order stays and the message is FAILED as a conflict',
    async (first, second) => {
      await created('1');
      await inbox.handle([aDecision('1', first)]);
      const late = aDecision('1', second);
      expect(await inbox.handle([late])).toEqual(['FAILED']);
      expect(await statuses()).toEqual({ 1: first });
      expect((await world.note(late.messageId))?.errorMsg).toMatch(/^decision-conflict/);
    },
  );

  it('when both outcomes of one order come in one batch, then one of them wins, the other is a conflict, and the neighbours are decided', async () => {
    await created('1', '2');
    const endings = await inbox.handle([
      aDecision('1', 'CONFIRMED'),
      aDecision('1', 'REJECTED'),
      aDecision('2', 'REJECTED'),
    ]);
    expect(endings).toEqual(['success', 'FAILED', 'success']);
    expect(await statuses()).toEqual({ 1: 'CONFIRMED', 2: 'REJECTED' });
  });

  it('when the order is not there yet, then the message is tried again and the others of its batch are decided', async () => {
    await created('1');
    const early = aDecision('2', 'CONFIRMED');
    expect(await inbox.handle([aDecision('1', 'CONFIRMED'), early])).toEqual(['success', 'PENDING_RETRY']);
    await created('2');
    await world.run([
      createRedeliveryTask({ db: world.db, effects: [inbox.effect], retry: RETRY, leaseMs: 30_000, pollMs: 10 }),
    ]);
    await world.makeDue();
    await world.untilNote(early.messageId, ({ status }) => status === 'SUCCESS');
    expect(await statuses()).toEqual({ 1: 'CONFIRMED', 2: 'CONFIRMED' });
  });

  it('DB-09: when two order ids differ only above 2^53, then each gets its own outcome', async () => {
    await created('9023393775362048', '9023393775362049', '9223372036854775807');
    await inbox.handle([
      aDecision('9023393775362048', 'CONFIRMED'),
      aDecision('9023393775362049', 'REJECTED'),
      aDecision('9223372036854775807', 'CONFIRMED'),
    ]);
    expect(await statuses()).toEqual({
      '9023393775362048': 'CONFIRMED',
      '9023393775362049': 'REJECTED',
      '9223372036854775807': 'CONFIRMED',
    });
  });

  it.each(['9999999999999999999', '9223372036854775808'])(
    'when the order id is %s, above 2^63, then it is an order that is not there',
    async (id) => {
      expect(await inbox.handle([aDecision(id, 'CONFIRMED')])).toEqual(['PENDING_RETRY']);
    },
  );

  it('INB-04: when the outcome is another word, then the message is FAILED', async () => {
    await created('1');
    expect(await inbox.handle([aDecision('1', 'MAYBE')])).toEqual(['FAILED']);
    expect(await statuses()).toEqual({ 1: 'CREATED' });
  });
});
