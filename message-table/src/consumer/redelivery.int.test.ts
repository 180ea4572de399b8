import { changeRows, selectRows } from '../database/rows.js';
import { PermanentError } from '../errors.js';
import { createConsumerSweep } from '../maintenance/lease-sweep.js';
import { aReceived, ConsumerWorld, RETRY, type NoteRow } from '../testkit/consumer-world.js';
import { eventually } from '../testkit/eventually.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import { StatementProxy } from '../testkit/statement-proxy.js';
import type { Received } from './consumer-message.js';
import { handleClaim } from './handle-claim.js';
import { createRedeliveryTask } from './redelivery-task.js';
import { retryNote } from './store/actions.js';
import { claimForRetry, markFailure, putOff } from './store/retry-claim.js';
import { sweepConsumerLeases } from './store/sweep.js';

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
const DAY_MS = 86_400_000;
const ANNA = { who: 'anna', why: 'the product is there now' };

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
  it('INB-01: when the cause is mended, then the next attempt takes effect once, and a later delivery changes nothing', async () => {
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

  it('RLY-08: when three tasks meet a message that always fails, then it is tried five times in all with growing gaps and is FAILED once', async () => {
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

  it('RTY-01: when two tasks look while a redelivery is under way, then there is one attempt per due time', async () => {
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

  it('when the database fails it, then no attempt is used', async () => {
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

describe('whoever lost the lease changes nothing', () => {
  const claiming = { consumers: ['test'], leaseMs: () => 30_000 };

  it('when a stalled redelivery wakes after another one took effect, then its effect is rolled back', async () => {
    const message = await owed();
    const stalled = await claimForRetry(world.db, claiming);
    await world.makeDue();
    await sweepConsumerLeases(world.db);
    await world.run([task()]);
    const done = await world.untilNote(message.messageId, ({ status }) => status === 'SUCCESS');
    if (stalled === null) throw new Error('nothing was claimed');
    expect(await handleClaim({ db: world.db, retry: RETRY }, stalled, effect)).toBe('lease-lost');
    expect(await counts()).toEqual({ [message.messageId]: 1 });
    expect(await world.note(message.messageId)).toEqual(done);
  });

  it('when the lease was swept and nobody has claimed yet, then the late effect is rolled back all the same', async () => {
    const message = await owed();
    const stalled = await claimForRetry(world.db, claiming);
    await world.makeDue();
    await sweepConsumerLeases(world.db);
    if (stalled === null) throw new Error('nothing was claimed');
    expect(await handleClaim({ db: world.db, retry: RETRY }, stalled, effect)).toBe('lease-lost');
    expect(await counts()).toEqual({});
    expect(await world.note(message.messageId)).toMatchObject({ status: 'PENDING_RETRY', lostCount: 1 });
  });

  it('when it was swept and claimed by another, then a late failure and a late put-off find nothing to change', async () => {
    const message = await owed();
    const late = await claimForRetry(world.db, claiming);
    await world.makeDue();
    await sweepConsumerLeases(world.db);
    await claimForRetry(world.db, claiming);
    const before = await world.note(message.messageId);
    if (late === null) throw new Error('nothing was claimed');
    expect(await markFailure(world.db, late, { to: 'FAILED', reason: 'late' }, RETRY)).toBe('lease-lost');
    expect(await putOff(world.db, late, 1)).toBe('lease-lost');
    expect(await world.note(message.messageId)).toMatchObject({
      status: 'RETRYING',
      version: before?.version,
      errorMsg: 'first attempt',
    });
  });

  it('when the lease of a redelivery ends in the middle of its effect, then nobody else begins while its transaction is open', async () => {
    const message = await owed();
    let done!: () => void;
    const finished = new Promise<void>((resolve) => (done = resolve));
    effect.before = () => finished;
    await world.run([createRedeliveryTask({ db: world.db, effects: [effect], retry: RETRY, leaseMs: 1, pollMs: 10 })]);
    await eventually(() => effect.calls.length === 1);
    expect(await sweepConsumerLeases(world.db)).toEqual({ released: 0, failed: 0 });
    expect(await claimForRetry(world.db, claiming)).toBeNull();
    done();
    await world.untilNote(message.messageId, ({ status }) => status === 'SUCCESS');
    expect(await counts()).toEqual({ [message.messageId]: 1 });
  });
});

describe('a lease that ends without an outcome is counted as lost, never as an attempt', () => {
  it('RLY-04: when a message takes its process down each time, then it is FAILED after five leases and the others take effect', async () => {
    const killer = await owed();
    effect.before = (ids) => (ids.includes(killer.messageId) ? new Promise<never>(() => undefined) : undefined);
    const others = await Promise.all(Array.from({ length: 5 }, owed));
    for (let lost = 1; lost <= 5; lost += 1) {
      // A process that claims and never comes back.
      await claimKiller(killer);
      await changeRows(
        world.db.knex,
        `UPDATE consumer_message SET next_retry_time = NOW(3) - INTERVAL 1 SECOND WHERE message_id = ?`,
        [killer.messageId],
      );
      await sweepConsumerLeases(world.db);
      expect(await world.note(killer.messageId)).toMatchObject({
        lostCount: lost,
        retryCount: 1,
        status: lost < 5 ? 'PENDING_RETRY' : 'FAILED',
      });
    }
    expect((await world.note(killer.messageId))?.errorMsg).toMatch(/^worker-lost/);
    await world.makeDue();
    await world.run([task()]);
    await Promise.all(others.map(({ messageId }) => world.untilNote(messageId, ({ status }) => status === 'SUCCESS')));
  });

  async function claimKiller({ messageId }: Received): Promise<void> {
    await changeRows(
      world.db.knex,
      `UPDATE consumer_message SET next_retry_time = NOW(3) - INTERVAL 1 HOUR WHERE message_id = ?`,
      [messageId],
    );
    const claim = await claimForRetry(world.db, { consumers: ['test'], leaseMs: () => 30_000 });
    expect(claim?.received.messageId).toBe(messageId);
  }

  it('when an attempt ends with an outcome, then the leases lost before are forgotten', async () => {
    const message = await owed();
    await claimKiller(message);
    await world.makeDue();
    await sweepConsumerLeases(world.db);
    effect.before = failing;
    await world.run([task(), createConsumerSweep(world.db, 30_000)]);
    expect(await world.untilNote(message.messageId, ({ retryCount }) => retryCount === 2)).toMatchObject({
      lostCount: 0,
    });
  });
});

describe('a person decides about what is FAILED', () => {
  async function failed(fields: Partial<Received> = {}): Promise<NoteRow> {
    const message = aReceived(fields);
    await world.inbox(effect).recordFailure(message, new PermanentError('broken'));
    return failedFor(message);
  }
  const retry = (note: Pick<NoteRow, 'messageId'>, version?: number) =>
    retryNote(
      world.db,
      { messageId: note.messageId, consumer: 'test', ...(version === undefined ? {} : { version }) },
      ANNA,
      DAY_MS,
    );

  it('RTY-02: when it is retried, then all attempts are back and it is recorded who did it and why', async () => {
    const note = await failed();
    expect(await retry(note)).toBe('done');
    expect(await world.note(note.messageId)).toMatchObject({
      status: 'PENDING_RETRY',
      retryCount: 0,
      lostCount: 0,
      version: 1,
    });
    const actions = await selectRows<{ before: string; after: string }>(
      world.db.knex,
      'SELECT side, message_id AS messageId, consumer, action, who, why, before_row AS `before`, after_row AS `after` FROM message_action',
    );
    expect(actions).toMatchObject([
      { side: 'consumer', messageId: note.messageId, consumer: 'test', action: 'retry', ...ANNA },
    ]);
    expect(JSON.parse(actions[0]?.before ?? '')).toMatchObject({
      status: 'FAILED',
      retryCount: 1,
      version: 0,
      errorMsg: 'broken',
    });
    expect(JSON.parse(actions[0]?.after ?? '')).toMatchObject({ status: 'PENDING_RETRY', retryCount: 0, version: 1 });
    await world.run([task()]);
    await world.untilNote(note.messageId, ({ status }) => status === 'SUCCESS');
    expect(await counts()).toEqual({ [note.messageId]: 1 });
  });

  it('RTY-02: when two people click at once, then one of them is told that the state has moved', async () => {
    const note = await failed();
    const results = await Promise.all([retry(note), retry(note), retry(note)]);
    expect(results.sort()).toEqual(['done', 'state-moved', 'state-moved']);
    expect(await selectRows(world.db.knex, 'SELECT id FROM message_action')).toHaveLength(1);
  });

  it('RTY-02: when the note has failed again since the page was drawn, then a click on the old page loses', async () => {
    const note = await failed();
    await retry(note, note.version);
    effect.before = () => Promise.reject(new PermanentError('still broken'));
    await world.run([task()]);
    const again = await world.untilNote(note.messageId, ({ status }) => status === 'FAILED');
    expect(await retry(note, note.version)).toBe('state-moved');
    expect(await retry(note, again.version)).toBe('done');
  });

  it('RTY-02: when many are retried, then they are handled one at a time', async () => {
    const notes = await Promise.all(Array.from({ length: 50 }, () => failed()));
    let open = 0;
    let most = 0;
    effect.before = async (_, trx) => {
      most = Math.max(most, (open += 1));
      await trx.raw('SELECT 1');
      open -= 1;
    };
    await Promise.all(notes.map((note) => retry(note)));
    await world.run([task()]);
    await world.untilNotes(50, 'SUCCESS');
    expect(most).toBe(1);
    expect(effect.calls.every((ids) => ids.length === 1)).toBe(true);
  });

  it('when the message is older than notes are kept, then it is refused', async () => {
    const old = await failed({ headers: { 'x-created': Date.now() - 2 * DAY_MS } });
    expect(await retry(old)).toBe('too-old');
    const recent = await failed({ headers: { 'x-created': Date.now() - DAY_MS / 2 } });
    expect(await retry(recent)).toBe('done');
  });

  it('when nothing says how old the message is, then the first time it was seen counts', async () => {
    const note = await failed();
    await changeRows(world.db.knex, 'UPDATE consumer_message SET first_consume_time = NOW(3) - INTERVAL 2 DAY');
    expect(await retry(note)).toBe('too-old');
  });

  it.each(['SUCCESS', 'PENDING_RETRY', 'RETRYING'])('when it is %s, then there is nothing to retry', async (status) => {
    const message = aReceived();
    if (status === 'SUCCESS') await world.inbox(effect).handle([message]);
    else await world.inbox(effect).recordFailure(message, new Error('first attempt'));
    await world.makeDue();
    if (status === 'RETRYING') await claimForRetry(world.db, { consumers: ['test'], leaseMs: () => 30_000 });
    const before = await world.note(message.messageId);
    expect(before?.status).toBe(status);
    expect(await retry(message)).toBe('state-moved');
    expect(await world.note(message.messageId)).toMatchObject({ status, version: before?.version });
  });

  it('when there is no such note, then that is what is said', async () => {
    expect(await retry({ messageId: 'nowhere' })).toBe('not-found');
  });
});
