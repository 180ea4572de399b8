import { unknown } from '../channels/outcome.js';
import { changeRows } from '../database/rows.js';
import { giveUpMessage } from '../producer/store/actions.js';
import { readOverdue } from '../producer/store/read-overdue.js';
import { TableWorld } from '../testkit/table-world.js';
import { createOverdueWatch } from './overdue-watch.js';

const DAY_MS = 86_400_000;

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

/** As if it had been accepted two days ago. */
const age = (messageId: string, index: number): Promise<number> =>
  changeRows(
    world.db.knex,
    `UPDATE producer_message SET id = (CAST(id AS SIGNED) DIV 4194304 - ?) * 4194304 + ?, create_time = create_time - INTERVAL 2 DAY
      WHERE message_id = ?`,
    [2 * DAY_MS, index, messageId],
  );

describe('a message without an answer for too long is named', () => {
  it('when it was tried or put off and is older than the limit, then it is named with the reason until a person gives it up', async () => {
    world.channel.automatic = () => unknown('connect ECONNREFUSED');
    const table = await world.producer();
    const loops = await world.relay();
    const old = await world.accept(table);
    const young = await world.accept(table);
    for (const { messageId } of [old, young]) await world.until(messageId, ({ errorMsg }) => errorMsg !== null);
    for (const loop of loops) await loop.stop();
    const parked = await world.accept(table);
    await changeRows(world.db.knex, `UPDATE producer_message SET parked_for = 'rabbitmq x y' WHERE message_id = ?`, [
      parked.messageId,
    ]);
    const late = await world.accept(table, { delayMs: 60_000 });
    for (const [index, { messageId }] of [old, parked, late].entries()) await age(messageId, index);

    const named = await readOverdue(world.db.knex, DAY_MS);
    const reasons = new Map(named.map(({ messageId, reason }) => [messageId, reason]));
    expect(reasons).toEqual(
      new Map([
        [old.messageId, 'connect ECONNREFUSED'],
        [parked.messageId, 'put off for rabbitmq x y'],
      ]),
    );
    expect(named.every(({ ageMs }) => ageMs > 2 * DAY_MS - 60_000 && ageMs < 2 * DAY_MS + 60_000)).toBe(true);

    const ann = { who: 'ann', why: 'the receiver is gone' };
    expect(await giveUpMessage(world.db, old.messageId, ann)).toBe('done');
    expect((await readOverdue(world.db.knex, DAY_MS)).map(({ messageId }) => messageId)).toEqual([parked.messageId]);
  });

  it('when the watch looks, then one event has all of them, and none when there are none', async () => {
    const seen = new Promise((resolve) => world.db.events.once('overdue', resolve));
    const watch = createOverdueWatch(world.db, DAY_MS);
    await watch.start();
    expect(await seen).toEqual({ messages: [] });
    await watch.stop();
  });
});
