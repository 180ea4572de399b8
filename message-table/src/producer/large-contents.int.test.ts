import { CONFIRMED } from '../channels/outcome.js';
import { readPacketBytes } from '../database/statement-bytes.js';
import { runInTransaction } from '../database/transaction.js';
import type { MessageTable } from '../message-table.js';
import { aCommand, TableWorld } from '../testkit/table-world.js';

const MOST_BYTES = 2 ** 24 - 1;

let world: TableWorld;
let table: MessageTable;
/** What one content may have on this server. */
let limit: number;
beforeEach(async () => {
  world = await TableWorld.open();
  table = await world.producer({ maxContentBytes: 2 ** 30 });
  limit = Math.min(Math.floor((await readPacketBytes(world.db.knex)) / 4), MOST_BYTES);
});
afterEach(() => world[Symbol.asyncDispose]());

describe('INB-04: what no statement can hold is told from an outage', () => {
  it('INB-04: when a content is larger than a quarter of the packet, then it is refused before anything is sent', async () => {
    const accepting = world.accept(table, { content: 'x'.repeat(limit + 1) });
    await expect(accepting).rejects.toMatchObject({ code: 'CONTENT_TOO_LARGE' });
    expect(await world.rows()).toEqual([]);
  }, 60_000);

  it('INB-04: when contents that fit alone come together, then all are stored, in as many statements as it takes', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const content = '"'.repeat(limit);
    await runInTransaction(world.db, (trx) =>
      table.acceptor.acceptAll(
        trx,
        ids.map((messageId) => aCommand({ messageId, content })),
      ),
    );
    expect(await world.rows()).toHaveLength(ids.length);
    const again = await runInTransaction(world.db, (trx) =>
      table.acceptor.acceptAll(
        trx,
        [...ids, 'f'].map((messageId) => aCommand({ messageId, content })),
      ),
    );
    expect(again.map(({ messageId }) => messageId)).toEqual([...ids, 'f']);
    expect(await world.rows()).toHaveLength(6);
  }, 120_000);
});

describe('a relay holds no more content than its budget', () => {
  it('when many large messages wait for their answers, then no others are taken until these are settled; one larger than the budget goes as well', async () => {
    world.channel.automatic = null;
    const commands = Array.from({ length: 40 }, () => aCommand({ content: 'x'.repeat(100_000) }));
    await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, commands));
    await world.relay({ byteBudget: 800_000 });
    await world.channel.whenSent(8);
    await world.turns(20);
    expect(world.channel.sendings.length).toBeLessThanOrEqual(9);
    await world.accept(table, { content: 'x'.repeat(1_000_000) });
    world.channel.automatic = () => CONFIRMED;
    for (const sending of world.channel.sendings) sending.answer(CONFIRMED);
    for (const { messageId } of await world.rows()) await world.until(messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings).toHaveLength(41);
  }, 30_000);
});
