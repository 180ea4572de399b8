import { runInTransaction } from '../../database/transaction.js';
import { aCommand, TableWorld } from '../../testkit/table-world.js';
import { readContents } from './read.js';

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

it.each([
  '{"b":1,"a":1.0,"big":12345678901234567890,"s":"😀"}',
  '{ "a" : [ 1 ,2 ] , "a":"twice" }\n',
  '"\\u0000 \\\\ \\" \' ? ?? :name %s ` ; -- "',
  '{"zwj":"👩‍👩‍👧","rtl":"שלום","quote":"O\'Hara"}',
])('DB-10: when content is %s, then the channel gets the very same bytes', async (content) => {
  const table = await world.producer();
  await world.relay();
  const { messageId } = await world.accept(table, { content });
  await world.until(messageId, ({ status }) => status === 'SENT');
  expect(world.channel.sendings.map(({ message }) => message.content)).toEqual([content]);
});

it('DB-09: when ids are neighbours above 2^53, then each is read and settled as itself', async () => {
  const table = await world.producer();
  const accepted = await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, [aCommand(), aCommand()]));
  const ids = accepted.map(({ id }) => id);
  expect(BigInt(ids[1] ?? 0) - BigInt(ids[0] ?? 0)).toBeLessThan(5_000n);
  expect((await readContents(world.db.knex, [ids[0] ?? ''])).map(({ id }) => id)).toEqual([ids[0]]);
  await world.relay();
  for (const { messageId } of accepted) await world.until(messageId, ({ status }) => status === 'SENT');
});

it('DB-06: when message ids differ in case only, then they are two messages; another one with an equal id is refused', async () => {
  const table = await world.producer();
  await world.accept(table, { messageId: 'AbC1' });
  await world.accept(table, { messageId: 'abc1' });
  const another = { messageId: 'abc1', content: { orderId: '2' } };
  await expect(world.accept(table, another)).rejects.toMatchObject({ code: 'MESSAGE_ID_TAKEN' });
  for (const messageId of ['abc1 ', ' abc1', '😀', '', 'é']) {
    await expect(world.accept(table, { messageId })).rejects.toMatchObject({ code: 'COMMAND_INVALID' });
  }
  expect(await world.rows()).toHaveLength(2);
});
