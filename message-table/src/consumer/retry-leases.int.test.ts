import { changeRows } from '../database/rows.js';
import { createConsumerSweep } from '../maintenance/lease-sweep.js';
import { aReceived, ConsumerWorld, RETRY } from '../testkit/consumer-world.js';
import { eventually } from '../testkit/eventually.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import type { Received } from './consumer-message.js';
import { handleClaim } from './handle-claim.js';
import { createRedeliveryTask } from './redelivery-task.js';
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

const task = (db = world.fresh.another(), effects = [effect]) =>
  createRedeliveryTask({ db, effects, retry: RETRY, leaseMs: 30_000, pollMs: 10 });

/** A note whose first attempt failed, due now. */
async function owed(): Promise<Received> {
  const message = aReceived();
  await world.inbox(effect).recordFailure(message, new Error('first attempt'));
  await world.makeDue(message.messageId);
  return message;
}

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
  it('RLY-04: when a message takes its process down each time, then it is FAILED after five leases and the others take effect [RETRYING→PENDING_RETRY lease over] [RETRYING→FAILED worker-lost]', async () => {
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
