import { changeRows } from '../database/rows.js';
import { eventually } from '../testkit/eventually.js';
import { QueueWorld } from '../testkit/queue-world.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';

let queue: QueueWorld;
let effect: ScriptedEffect;
beforeEach(async () => {
  queue = await QueueWorld.open();
  await ScriptedEffect.prepare(queue.world.db);
  effect = new ScriptedEffect();
  await queue.publisher();
});
afterEach(() => queue[Symbol.asyncDispose]());

const counts = (): Promise<Record<string, number>> => ScriptedEffect.counts(queue.world.db);
const ids = (count: number, prefix = 'm'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index)}`);
const once = (messageIds: readonly string[]): Record<string, number> =>
  Object.fromEntries(messageIds.map((id) => [id, 1]));

describe('while the database is away nothing is acknowledged and nothing returned', () => {
  it('INB-03: when the business transaction and its failure record fail, then the message is kept and takes effect when the database is back', async () => {
    const { proxy, url } = await queue.lineToDatabase();
    const db = queue.world.fresh.another({ url, deadlineMs: 1_000, acquireTimeoutMs: 500 });
    await queue.run(queue.replica(effect, { db }));
    const paused = new Promise((resolve) => db.events.once('consumerPaused', resolve));
    proxy.swallow('toServer');
    queue.publish('kept');
    await paused;
    expect(await queue.held()).toBe(1);
    expect(await queue.world.notes()).toEqual([]);
    proxy.reset();
    proxy.heal();
    await queue.world.untilNotes(1, 'SUCCESS');
    await queue.untilEmpty();
    expect(await queue.world.note('kept')).toMatchObject({ retryCount: 0 });
    expect(await counts()).toEqual({ kept: 1 });
  });

  it('AMQP-12: when the database is away with 100 messages in the queue, then none is delivered again and again, and each takes effect once afterwards', async () => {
    const { proxy, url } = await queue.lineToDatabase();
    const db = queue.world.fresh.another({ url, deadlineMs: 500, acquireTimeoutMs: 300 });
    const consuming = queue.replica(effect, { db });
    const tries = jest.spyOn(consuming.inbox, 'handle');
    await queue.run(consuming);
    queue.publish('first');
    await queue.world.untilNotes(1, 'SUCCESS');
    proxy.swallow('toServer');
    const paused = new Promise((resolve) => db.events.once('consumerPaused', resolve));
    ids(100).forEach((id) => queue.publish(id));
    await paused;
    const before = tries.mock.calls.length;
    await eventually(() => tries.mock.calls.length >= before + 2);
    // A message that was returned would come with a count.
    const received = tries.mock.calls.flatMap(([messages]) => messages);
    expect(received.filter(({ headers }) => 'x-delivery-count' in headers)).toEqual([]);
    expect(await queue.held()).toBe(100);
    proxy.reset();
    proxy.heal();
    await queue.world.untilNotes(101, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(['first', ...ids(100)]));
    expect(tries.mock.calls.length).toBeLessThan(130);
  });

  it('INB-03: when the sessions are killed again and again, then no attempt is used and nothing is doubled', async () => {
    const db = queue.world.fresh.another();
    await queue.run(queue.replica(effect, { db, batch: 10 }));
    effect.before = async (_, trx) => {
      if (effect.calls.length % 3 !== 0) return;
      const [rows] = (await trx.raw('SELECT CONNECTION_ID() AS id')) as [{ id: number }[]];
      await changeRows(queue.world.db.knex, `KILL ${String(rows[0]?.id)}`);
    };
    ids(60).forEach((id) => queue.publish(id));
    await queue.world.untilNotes(60, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(ids(60)));
    expect((await queue.world.notes()).every(({ retryCount }) => retryCount === 0)).toBe(true);
  });

  it('when it is stopped while the database is away, then it stops, and its deliveries are in the queue', async () => {
    const { proxy, url } = await queue.lineToDatabase();
    const db = queue.world.fresh.another({ url, deadlineMs: 500, acquireTimeoutMs: 300 });
    const consuming = queue.replica(effect, { db });
    await queue.run(consuming);
    const paused = new Promise((resolve) => db.events.once('consumerPaused', resolve));
    proxy.swallow('toServer');
    queue.publish('kept');
    await paused;
    for (const service of [...consuming.services].reverse()) await service.stop();
    await queue.untilWaiting(1);
  });
});
