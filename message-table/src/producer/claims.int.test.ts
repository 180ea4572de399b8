import { changeRows } from '../database/rows.js';
import { runInTransaction } from '../database/transaction.js';
import { houseOf } from './producer-message.js';
import { claimBatch } from './store/claim.js';
import { aCommand, idIn, TableWorld } from '../testkit/table-world.js';

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

describe('claims', () => {
  it('RLY-12: when a row with a smaller id commits after a larger one was sent, then it is sent too', async () => {
    const table = await world.producer();
    await world.relay();
    const late = await world.db.knex.transaction();
    const first = await table.acceptor.accept(late, aCommand());
    const second = await world.accept(table);
    await world.until(second.messageId, ({ status }) => status === 'SENT');
    await late.commit();
    await world.until(first.messageId, ({ status }) => status === 'SENT');
  });

  it('when two relays work on one backlog, then each row is published once and both have a share [PENDING→SENDING claimed]', async () => {
    const table = await world.producer();
    await runInTransaction(world.db, (trx) =>
      table.acceptor.acceptAll(
        trx,
        Array.from({ length: 2_000 }, () => aCommand()),
      ),
    );
    const shares = [0, 0];
    for (const index of [0, 1]) {
      const db = world.fresh.another();
      db.events.on('claimed', ({ count }) => (shares[index] = (shares[index] ?? 0) + count));
      await world.relay({ db, rate: 2_000 });
    }
    await world.channel.whenSent(2_000);
    for (const { messageId } of await world.rows()) await world.until(messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings).toHaveLength(2_000);
    expect(Math.min(...shares)).toBeGreaterThan(200);
  });

  it('when a little is due in each of ten houses, then one claim takes it all, in one transaction', async () => {
    const table = await world.producer();
    const commands = Array.from({ length: 90 }, (_, index) => aCommand({ messageId: `m-${String(index)}` }));
    await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, commands));
    const db = world.fresh.another();
    const claims: number[] = [];
    db.events.on('claimed', ({ count }) => claims.push(count));
    await world.relay({ db });
    await world.channel.whenSent(90);
    expect(new Set((await world.rows()).map(({ messageId }) => houseOf(messageId))).size).toBe(10);
    expect(claims).toEqual([90]);
  });

  it('when a large message does not fit beside those of the houses before, then its house is the first of the next claim', async () => {
    const table = await world.producer();
    for (const house of [2, 5, 7])
      await world.accept(table, { messageId: idIn(house), content: 'x'.repeat(house === 5 ? 900 : 200) });
    const limits = { limit: 10, leaseMs: 30_000, byteBudget: 1_000, suspectsKept: 5 };
    const claim = (houses: number[]) =>
      claimBatch(world.db, houses, { ...limits, claimedBy: 'test', obstacle: () => null });
    const first = await claim([2, 5, 7]);
    expect(first.claims.map(({ messageId }) => messageId)).toEqual([idIn(2)]);
    expect(first.unseen).toEqual([5, 7]);
    const second = await claim([...first.unseen]);
    expect(second.claims.map(({ messageId }) => messageId)).toEqual([idIn(5)]);
    expect(second.unseen).toEqual([7]);
  });

  it('RLY-09: when a process dies between the confirm and its settle, then the second publish is the same message in every part', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    world.channel.automatic = null;
    const { messageId } = await world.accept(table, { headers: { traceparent: '00-1-2-01' } });
    await world.channel.whenSent(1);
    // The broker has it, the outcome never comes back: the lease ends by itself.
    world.channel.automatic = () => ({ kind: 'confirmed' });
    await world.makeDue();
    await world.relay();
    await world.until(messageId, ({ status }) => status === 'SENT');
    const [first, second] = world.channel.sendings.map(({ message }) => message);
    const { version: firstVersion, ...before } = { ...first };
    const { version: secondVersion, ...again } = { ...second };
    for (const part of ['messageId', 'content', 'headers', 'createdMs', 'exchange', 'routingKey'] as const) {
      expect(again[part]).toEqual(before[part]);
    }
    expect(secondVersion).toBeGreaterThan(firstVersion ?? 0);
  });

  it('RLY-13: when the first of two messages is refused once, then the second overtakes it: no order is promised (design)', async () => {
    const table = await world.producer();
    let refusals = 1;
    world.channel.automatic = ({ messageId }) =>
      messageId === 'first' && refusals-- > 0
        ? { kind: 'refused', reason: 'nack', permanent: false }
        : { kind: 'confirmed' };
    const first = await world.accept(table, { messageId: 'first' });
    await world.relay();
    await world.until(first.messageId, ({ retryCount }) => retryCount === 1);
    const second = await world.accept(table, { messageId: 'second' });
    await world.until(second.messageId, ({ status }) => status === 'SENT');
    await world.makeDue();
    await world.until(first.messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings.map(({ message }) => message.messageId)).toEqual(['first', 'second', 'first']);
  });

  it('INB-04: when a row has headers that are no JSON, then it alone is FAILED, and all others are sent', async () => {
    const table = await world.producer();
    const ids = Array.from({ length: 40 }, (_, index) => `m-${String(index)}`);
    await runInTransaction(world.db, (trx) =>
      table.acceptor.acceptAll(
        trx,
        ids.map((messageId) => aCommand({ messageId })),
      ),
    );
    await changeRows(world.db.knex, `UPDATE producer_message SET headers = '{"a":' WHERE message_id = 'm-7'`);
    await changeRows(world.db.knex, `UPDATE producer_message SET headers = 'null' WHERE message_id = 'm-8'`);
    await world.relay();
    for (const id of ids.filter((messageId) => !/^m-[78]$/.test(messageId)))
      await world.until(id, ({ status }) => status === 'SENT');
    for (const id of ['m-7', 'm-8']) {
      const row = await world.until(id, ({ status }) => status === 'FAILED');
      expect(row).toMatchObject({ retryCount: 1, errorMsg: 'its headers are no JSON object' });
    }
  });

  it('when a message is to be sent later, then it is not sent before', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    await world.relay();
    const later = await world.accept(table, { delayMs: 60_000 });
    const now = await world.accept(table);
    await world.until(now.messageId, ({ status }) => status === 'SENT');
    const row = await world.row(later.messageId);
    expect(row).toMatchObject({ status: 'PENDING', version: 0 });
    expect(row.dueInMs).toBeGreaterThan(55_000);
  });
});
