import { changeRows, selectRows } from '../database/rows.js';
import { runInTransaction, type Transaction } from '../database/transaction.js';
import type { MessageTable } from '../message-table.js';
import { eventually } from '../testkit/eventually.js';
import { aCommand, TableWorld } from '../testkit/table-world.js';
import type { Accepted } from './accept.js';

const PAID = { messageId: 'order-1:paid', content: { orderId: '1' } };
const OTHER = { ...PAID, content: { orderId: '2' } };
const TAKEN = { code: 'MESSAGE_ID_TAKEN' };

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const accept = (table: MessageTable, trx: Transaction, command = PAID): Promise<Accepted> =>
  table.acceptor.accept(trx, aCommand(command));

describe('a message id stands for one message', () => {
  it.each(['PENDING', 'SENDING', 'SENT', 'FAILED'])(
    'when the same command comes again and its row is %s, then that row is returned and nothing is sent again',
    async (status) => {
      const table = await world.producer();
      const first = await world.accept(table, PAID);
      const due = ['PENDING', 'SENDING'].includes(status) ? 'NOW(3) + INTERVAL 1 HOUR' : 'NULL';
      await changeRows(world.db.knex, `UPDATE producer_message SET status = ?, next_retry_time = ${due}`, [status]);
      expect(await world.accept(table, { ...PAID, headers: { traceparent: '00-2-2-01' } })).toEqual(first);
      expect(await world.rows()).toMatchObject([{ id: first.id, status, version: 0 }]);
    },
  );

  it('when another command has the id, then it is refused and the rest of the transaction can go on or roll back', async () => {
    const table = await world.producer();
    await world.accept(table, PAID);
    await runInTransaction(world.db, async (trx) => {
      await expect(accept(table, trx, OTHER)).rejects.toMatchObject(TAKEN);
      await table.acceptor.accept(trx, aCommand({ messageId: 'order-1:shipped' }));
    });
    expect((await world.rows()).map(({ messageId }) => messageId)).toEqual(['order-1:paid', 'order-1:shipped']);
  });

  it("when it comes again in somebody else's transaction, with an older snapshot too, then that row is returned", async () => {
    const table = await world.producer();
    const trx = await world.db.knex.transaction({ isolationLevel: 'repeatable read' });
    await selectRows(trx, 'SELECT 1 FROM producer_message');
    const first = await world.accept(table, PAID);
    expect(await accept(table, trx)).toEqual(first);
    await expect(accept(table, trx, OTHER)).rejects.toMatchObject(TAKEN);
    await trx.commit();
    expect(await world.rows()).toHaveLength(1);
  });

  it('when it comes twice in one transaction or one batch, then there is one row', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    const accepted = await runInTransaction(world.db, async (trx) => [
      await accept(table, trx),
      await accept(table, trx),
      ...(await table.acceptor.acceptAll(trx, [aCommand(PAID), aCommand({ messageId: 'a' }), aCommand(PAID)])),
    ]);
    const [first, second, third, other, fourth] = accepted;
    expect([second, third, fourth]).toEqual([first, first, first]);
    await world.until(PAID.messageId, ({ status }) => status === 'SENT');
    await world.until(other?.messageId ?? '', ({ status }) => status === 'SENT');
    expect(world.channel.sendings.map(({ message }) => message.messageId).sort()).toEqual(['a', PAID.messageId]);
  });

  it('when one batch has two commands of one id, then nothing of it is written', async () => {
    const table = await world.producer();
    const both = runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, [aCommand(PAID), aCommand(OTHER)]));
    await expect(both).rejects.toMatchObject(TAKEN);
    expect(await world.rows()).toEqual([]);
  });

  it('when some of a batch are there already, then only the others are written, and places are kept for them alone', async () => {
    const table = await world.producer({ fastPathPlaces: 2 });
    let taken = 0;
    world.db.events.on('fastPathTaken', (told) => (taken = told.taken));
    await world.accept(table, PAID);
    await world.until(PAID.messageId, ({ status }) => status === 'SENT');
    for (let round = 0; round < 5; round += 1) {
      // A row is seen as SENT a moment before its place is free again.
      await eventually(() => taken === 0);
      const ids = [`z-${String(round)}`, PAID.messageId];
      const commands = ids.map((messageId) => aCommand({ ...PAID, messageId }));
      const accepted = await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, commands));
      expect(accepted.map(({ messageId }) => messageId)).toEqual(ids);
      // SENT without a relay: it had a place on the fast path.
      await world.until(ids[0] ?? '', ({ status }) => status === 'SENT');
    }
    expect(world.channel.sendings).toHaveLength(6);
  });
});

describe('two who accept one message at once', () => {
  it("when the first one's transaction is still open, then the second waits for it and gets its row", async () => {
    const table = await world.producer();
    const trx = await world.db.knex.transaction();
    const first = await accept(table, trx);
    const second = world.accept(table, PAID);
    await world.turns(5);
    await trx.commit();
    expect(await second).toEqual(first);
  });

  it("when the first one rolls back, then the second's row is written", async () => {
    const table = await world.producer();
    const trx = await world.db.knex.transaction();
    const first = await accept(table, trx);
    const second = world.accept(table, OTHER);
    await world.turns(5);
    await trx.rollback();
    expect((await second).id).not.toBe(first.id);
    expect(await world.rows()).toHaveLength(1);
  });

  it('when many accept overlapping batches in any order, then each message is there once and nobody fails', async () => {
    const table = await world.producer();
    const ids = Array.from({ length: 12 }, (_, index) => `shared-${String(index).padStart(2, '0')}`);
    const batches = Array.from({ length: 30 }, (_, round) => [...ids.slice(round % 12), ...ids.slice(0, round % 12)]);
    const all = await Promise.all(
      batches.map((batch) =>
        runInTransaction(world.db, (trx) =>
          table.acceptor.acceptAll(
            trx,
            batch.map((messageId) => aCommand({ ...PAID, messageId })),
          ),
        ),
      ),
    );
    expect((await world.rows()).map(({ messageId }) => messageId).sort()).toEqual(ids);
    const idOf = new Map((await world.rows()).map(({ id, messageId }) => [messageId, id]));
    for (const { id, messageId } of all.flat()) expect(id).toBe(idOf.get(messageId));
  });
});
