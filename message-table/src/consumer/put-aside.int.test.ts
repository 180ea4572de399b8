import { createConnection } from 'mysql2/promise';

import { changeRows } from '../database/rows.js';
import type { Transaction } from '../database/transaction.js';
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

/** What the effect of `poison` does as well, until it is mended. */
function poisonedBy(work: (trx: Transaction) => PromiseLike<unknown>): { mend: () => void } {
  let isMended = false;
  effect.before = async (batch, trx) => {
    if (!isMended && batch.includes('poison')) await work(trx);
  };
  return { mend: () => void (isMended = true) };
}

describe('a message whose effect always ends by what counts as the trouble of the database', () => {
  const troubles: [string, (trx: Transaction) => PromiseLike<unknown>][] = [
    ['names a column that is not there', (trx) => trx.raw('SELECT no_such_column FROM took_effect')],
    ['takes longer than any statement may', (trx) => trx.raw('SELECT SLEEP(10)')],
    ['waits for a row that somebody holds', (trx) => trx.raw('UPDATE held SET id = 1 WHERE id = 1')],
  ];

  it.each(troubles)(
    'INB-03: when the effect of one message %s, then it is put aside without an attempt, the queue goes on, and it takes effect when that is mended [new→PENDING_RETRY put aside]',
    async (_, work) => {
      await changeRows(queue.world.db.knex, 'CREATE TABLE held (id INT PRIMARY KEY)');
      await changeRows(queue.world.db.knex, 'INSERT INTO held VALUES (1)');
      const holder = await createConnection(queue.world.fresh.url);
      queue.world.atEnd(() => holder.end());
      await holder.query('BEGIN');
      await holder.query('SELECT * FROM held WHERE id = 1 FOR UPDATE');
      const { mend } = poisonedBy(work);
      const db = queue.world.fresh.another({ deadlineMs: 3_000, lockWaitS: 1 });
      queue.publish('poison');
      ids(30).forEach((id) => queue.publish(id));
      await queue.run(queue.replica(effect, { db, redeliveryPollMs: 60_000 }));
      const note = await eventually(() => queue.world.note('poison'), 60_000);
      expect(note).toMatchObject({ status: 'PENDING_RETRY', retryCount: 0, lostCount: 0, version: 0 });
      expect(note.errorMsg).toMatch(/^put aside/);
      expect(note.dueInMs).toBeGreaterThan(0);
      await queue.world.untilNotes(30, 'SUCCESS');
      await queue.untilEmpty();
      expect(await counts()).toEqual(once(ids(30)));
      mend();
      await holder.query('ROLLBACK');
      await queue.world.makeDue();
      await queue.run(queue.replica(effect));
      await queue.world.untilNote('poison', ({ status }) => status === 'SUCCESS');
      expect(await queue.world.note('poison')).toMatchObject({ retryCount: 0, errorMsg: null });
      expect(await counts()).toEqual(once(['poison', ...ids(30)]));
    },
    120_000,
  );

  it('when it comes with others, then they take effect and it is tried four times at most', async () => {
    poisonedBy((trx) => trx.raw('SELECT no_such_column FROM took_effect'));
    ids(20, 'a').forEach((id) => queue.publish(id));
    await queue.run(queue.replica(effect, { redeliveryPollMs: 60_000 }));
    await queue.world.untilNotes(20, 'SUCCESS');
    effect.calls.splice(0);
    queue.publish('poison');
    ids(20).forEach((id) => queue.publish(id));
    await queue.world.untilNote('poison', () => true);
    await queue.untilEmpty();
    expect(await counts()).toEqual(once([...ids(20, 'a'), ...ids(20)]));
    expect(effect.tries('poison')).toBeLessThanOrEqual(4);
  });

  it('when the effect of every message ends so, then one is put aside and the others are kept, and all take effect when it is mended', async () => {
    let isMended = false;
    effect.before = async (_, trx) => {
      if (!isMended) await trx.raw('SELECT no_such_column FROM took_effect');
    };
    ids(10).forEach((id) => queue.publish(id));
    await queue.run(queue.replica(effect));
    await eventually(() => effect.calls.length >= 12, 60_000);
    expect(await queue.world.notes()).toHaveLength(1);
    expect(await queue.held()).toBe(9);
    isMended = true;
    await queue.world.untilNotes(10, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(ids(10)));
    expect((await queue.world.notes()).every(({ retryCount }) => retryCount === 0)).toBe(true);
  }, 120_000);

  it('when a copy of it was republished, then it is put off without an attempt and the queue goes on', async () => {
    const channel = await queue.publisher();
    const db = queue.world.fresh.another();
    const results: string[] = [];
    db.events.on('redelivered', ({ result }) => results.push(result));
    poisonedBy((trx) =>
      effect.tries('poison') === 1
        ? Promise.reject(new Error('first attempt'))
        : trx.raw('SELECT no_such_column FROM took_effect'),
    );
    queue.publish('poison');
    await queue.run(queue.replica(effect, { db, republishBy: channel }));
    await queue.world.untilNote('poison', ({ retryCount }) => retryCount === 1);
    await queue.world.makeDue();
    await eventually(() => effect.tries('poison') === 2);
    queue.publish('next');
    await queue.world.untilNote('next', ({ status }) => status === 'SUCCESS');
    await eventually(() => results.includes('put-off'));
    expect(await queue.world.note('poison')).toMatchObject({ retryCount: 1, lostCount: 0 });
    expect(effect.tries('poison')).toBeLessThan(10);
  });
});
