import { aReceived, ConsumerWorld, RETRY } from '../testkit/consumer-world.js';
import { eventually } from '../testkit/eventually.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import { StatementProxy } from '../testkit/statement-proxy.js';
import type { Received } from './consumer-message.js';
import { createRedeliveryTask } from './redelivery-task.js';

let world: ConsumerWorld;
let effect: ScriptedEffect;
beforeEach(async () => {
  world = await ConsumerWorld.open();
  await ScriptedEffect.prepare(world.db);
  effect = new ScriptedEffect();
});
afterEach(() => world[Symbol.asyncDispose]());

const counts = (): Promise<Record<string, number>> => ScriptedEffect.counts(world.db);
const failing = (): Promise<never> => Promise.reject(new Error('no such product'));

const task = (db = world.fresh.another(), effects = [effect]) =>
  createRedeliveryTask({ db, effects, retry: RETRY, leaseMs: 30_000, pollMs: 10 });

/** A note whose first attempt failed, due now. */
async function owed(): Promise<Received> {
  const message = aReceived();
  await world.inbox(effect).recordFailure(message, new Error('first attempt'));
  await world.makeDue(message.messageId);
  return message;
}

const failedFor = (message: Received) => world.untilNote(message.messageId, ({ status }) => status === 'FAILED');

describe('what failed is handled again in place', () => {
  it('INB-01: when the cause is mended, then the next attempt takes effect once, and a later delivery changes nothing [PENDING_RETRY→RETRYING claimed] [RETRYING→SUCCESS redelivered]', async () => {
    effect.before = failing;
    const message = aReceived();
    expect(await world.inbox(effect).handle([message])).toEqual(['PENDING_RETRY']);
    effect.before = () => undefined;
    await world.run([task()]);
    await world.makeDue();
    await world.untilNote(message.messageId, ({ status }) => status === 'SUCCESS');
    expect(await world.inbox(effect).handle([message])).toEqual(['SUCCESS']);
    expect(await counts()).toEqual({ [message.messageId]: 1 });
  });

  it('RLY-08: when three tasks meet a message that always fails, then it is tried five times in all with growing gaps and is FAILED once [RETRYING→PENDING_RETRY effect threw] [RETRYING→FAILED effect threw]', async () => {
    const failures: { to: string; attempt: number }[] = [];
    effect.before = failing;
    const message = await owed();
    for (let index = 0; index < 3; index += 1) {
      const db = world.fresh.another();
      db.events.on('consumeFailed', ({ to, attempt }) => failures.push({ to, attempt }));
      await world.run([task(db)]);
    }
    for (const [retryCount, gapMs] of [
      [2, 4_000],
      [3, 8_000],
      [4, 16_000],
    ] as const) {
      const note = await world.untilNote(message.messageId, (row) => row.retryCount === retryCount);
      expect(note.dueInMs).toBeGreaterThan(gapMs * 0.8 - 1_000);
      expect(note.dueInMs).toBeLessThanOrEqual(gapMs * 1.2);
      await world.makeDue();
    }
    expect(await failedFor(message)).toMatchObject({ retryCount: 5, dueInMs: null, errorMsg: 'no such product' });
    expect(effect.tries(message.messageId)).toBe(4);
    expect(failures.map(({ attempt }) => attempt)).toEqual([2, 3, 4, 5]);
    expect(failures.filter(({ to }) => to === 'FAILED')).toHaveLength(1);
  });

  it('RTY-01: when two tasks look while a redelivery is under way, then there is one attempt per due time (design)', async () => {
    const message = await owed();
    let done!: () => void;
    const finished = new Promise<void>((resolve) => (done = resolve));
    effect.before = () => finished;
    await world.run([task()]);
    await eventually(() => effect.calls.length === 1);
    const other = await owed();
    await world.run([task()]);
    await eventually(() => effect.tries(other.messageId) === 1);
    done();
    await world.untilNotes(2, 'SUCCESS');
    expect([effect.tries(message.messageId), effect.tries(other.messageId)]).toEqual([1, 1]);
  });

  it('when two effects share a database, then each task handles its own at once', async () => {
    const other = new ScriptedEffect('other');
    const message = aReceived({ consumer: 'other' });
    await world.inbox(other).recordFailure(message, new Error('first attempt'));
    const mine = await owed();
    await world.makeDue();
    await world.run([task()]);
    await world.untilNote(mine.messageId, ({ status }) => status === 'SUCCESS');
    expect(await world.note(message.messageId)).toMatchObject({ status: 'PENDING_RETRY', version: 0 });
    await world.run([task(world.fresh.another(), [other])]);
    await world.untilNote(message.messageId, ({ status }) => status === 'SUCCESS');
  });

  it('when a body is not UTF-8, then the effect gets it byte for byte', async () => {
    const body = Buffer.from([0xff, 0x00, 0x7b]);
    const got: Buffer[] = [];
    effect.readBody = (received) => (got.push(received.body), '');
    await world.inbox(effect).recordFailure(aReceived({ body }), new Error('first attempt'));
    await world.makeDue();
    await world.run([task()]);
    await world.untilNotes(1, 'SUCCESS');
    expect(got).toEqual([body]);
  });

  it("DB-01: when the answer of a redelivery's COMMIT is lost, then the effect took place once", async () => {
    const proxy = await StatementProxy.before(world.fresh.url);
    world.atEnd(() => proxy[Symbol.asyncDispose]());
    const message = await owed();
    effect.before = () => {
      if (effect.calls.length === 1) proxy.strike('COMMIT;', 'cut-answer');
    };
    await world.run([task(world.fresh.another({ url: proxy.url }))]);
    await world.untilNote(message.messageId, ({ status }) => status === 'SUCCESS');
    expect(proxy.struck).toBe(1);
    expect(await counts()).toEqual({ [message.messageId]: 1 });
  });

  it('when the database fails it, then no attempt is used [RETRYING→PENDING_RETRY put off]', async () => {
    const message = await owed();
    effect.before = () =>
      effect.calls.length < 4 ? Promise.reject(Object.assign(new Error('gone'), { errno: 1290 })) : undefined;
    await world.run([task()]);
    for (let tried = 1; tried < 4; tried += 1) {
      await eventually(() => effect.calls.length === tried);
      await world.untilNote(message.messageId, ({ status }) => status === 'PENDING_RETRY');
      await world.makeDue();
    }
    expect(await world.untilNote(message.messageId, ({ status }) => status === 'SUCCESS')).toMatchObject({
      retryCount: 1,
    });
  });
});
