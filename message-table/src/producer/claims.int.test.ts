import { runInTransaction } from '../database/transaction.js';
import { aCommand, TableWorld } from '../testkit/table-world.js';

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
    await Promise.all(
      (await world.rows()).map(({ messageId }) => world.until(messageId, ({ status }) => status === 'SENT')),
    );
    expect(world.channel.sendings).toHaveLength(2_000);
    expect(Math.min(...shares)).toBeGreaterThan(200);
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
