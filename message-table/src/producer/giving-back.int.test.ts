import { changeRows } from '../database/rows.js';
import { stopInReverse } from '../service/lifecycle.js';
import { aCommand, TableWorld } from '../testkit/table-world.js';
import { runInTransaction } from '../database/transaction.js';

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

describe('what cannot be sent any more is free for others at once', () => {
  it('when less of the lease is left than an attempt may take, then the message is not sent but given back [SENDING→PENDING given back]', async () => {
    const table = await world.producer({ fastPathPlaces: 10, leaseMs: 1_000, attemptTimeoutMs: 2_000 });
    const { messageId } = await world.accept(table);
    const row = await world.until(messageId, ({ status }) => status === 'PENDING');
    expect(row).toMatchObject({ version: 1, retryCount: 0, lostCount: 0 });
    expect(row.dueInMs).toBeLessThanOrEqual(0);
    expect(world.channel.sendings).toEqual([]);
  });

  it('when a process stops, then what is in flight is settled first and nothing is left claimed', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    world.channel.automatic = null;
    const { messageId } = await world.accept(table);
    await world.channel.whenSent(1);
    const stopped = stopInReverse(table.services);
    world.channel.sendings[0]?.answer({ kind: 'confirmed' });
    expect(await stopped).toEqual([]);
    expect(await world.row(messageId)).toMatchObject({ status: 'SENT' });
  });

  it('when a transaction commits after the fast path has stopped, then its message is given back, not kept', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    const fastPath = table.services.at(-1);
    const { messageId } = await runInTransaction(world.db, async (trx) => {
      const accepted = await table.acceptor.accept(trx, aCommand());
      await fastPath?.stop();
      return accepted;
    });
    expect(await world.until(messageId, ({ status }) => status === 'PENDING')).toMatchObject({ version: 1 });
    expect(world.channel.sendings).toEqual([]);
  });

  it('when outcomes cannot be written for a while, then they are kept and written as soon as the database takes them', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    world.channel.automatic = null;
    const { messageId } = await world.accept(table);
    await world.channel.whenSent(1);
    await changeRows(world.db.knex, 'RENAME TABLE producer_message TO producer_message_away');
    const troubled = new Promise((resolve) => world.db.events.once('settleDelayed', resolve));
    world.channel.sendings[0]?.answer({ kind: 'confirmed' });
    await troubled;
    await changeRows(world.db.knex, 'RENAME TABLE producer_message_away TO producer_message');
    await world.until(messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings).toHaveLength(1);
  });
});
