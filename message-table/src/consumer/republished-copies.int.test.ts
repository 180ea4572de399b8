import type { Channel } from '../channels/channel.js';
import type { QueueConsumingOptions } from '../queue-consuming.js';
import { eventually } from '../testkit/eventually.js';
import { QueueWorld } from '../testkit/queue-world.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import { Republisher } from './republisher.js';
import { claimForRetry } from './store/retry-claim.js';
import { sweepConsumerLeases } from './store/sweep.js';

let queue: QueueWorld;
let effect: ScriptedEffect;
let channel: Channel;
const CREATED_MS = Date.now() - 5_000;
beforeEach(async () => {
  queue = await QueueWorld.open();
  await ScriptedEffect.prepare(queue.world.db);
  effect = new ScriptedEffect();
  channel = await queue.publisher();
});
afterEach(() => queue[Symbol.asyncDispose]());

const failOnce = (): void => {
  effect.before = (ids) =>
    ids.some((id) => effect.tries(id) === 1) ? Promise.reject(new Error('first attempt')) : undefined;
};
const replica = (options: Partial<QueueConsumingOptions> = {}) =>
  queue.replica(effect, { republishBy: channel, ...options });
const counts = (): Promise<Record<string, number>> => ScriptedEffect.counts(queue.world.db);
const note = (messageId: string) => queue.world.note(messageId);

/** A note whose first attempt failed, due at once when `makeDue` is called. */
async function owed(messageId: string): Promise<void> {
  queue.publish(messageId, '{}', { 'x-created': CREATED_MS, traceparent: '00-1' });
  await queue.world.untilNote(messageId, ({ status }) => status === 'PENDING_RETRY');
}

describe('only the copy of the present claim is handled', () => {
  const claiming = { consumers: ['test'], leaseMs: () => 30_000 };

  it('when copies of claims that are over come, and of a note that is not there, then they are acknowledged and ignored', async () => {
    failOnce();
    await queue.run(queue.replica(effect, { redeliveryPollMs: 60_000 }));
    await owed('m');
    await queue.world.makeDue();
    await claimForRetry(queue.world.db, claiming);
    await queue.world.makeDue();
    await sweepConsumerLeases(queue.world.db);
    const present = await claimForRetry(queue.world.db, claiming);
    for (const version of [0, 1, 2, 4]) queue.publish('m', '{}', { 'x-redelivery': version });
    queue.publish('unknown', '{}', { 'x-redelivery': 1 });
    await queue.untilEmpty();
    expect(effect.tries('m')).toBe(1);
    expect(await queue.world.notes()).toHaveLength(1);
    expect(await note('m')).toMatchObject({ status: 'RETRYING', version: 3 });
    queue.publish('m', '{}', { 'x-redelivery': present?.version });
    await queue.world.untilNote('m', ({ status }) => status === 'SUCCESS');
    expect(await counts()).toEqual({ m: 1 });
  });

  it('when the copy of the present claim comes three times to three consumers, then it takes effect once', async () => {
    failOnce();
    for (let index = 0; index < 3; index += 1) await queue.run(queue.replica(effect, { redeliveryPollMs: 60_000 }));
    await owed('m');
    await queue.world.makeDue();
    await claimForRetry(queue.world.db, claiming);
    for (let copy = 0; copy < 9; copy += 1) queue.publish('m', '{}', { 'x-redelivery': 1 });
    await queue.world.untilNote('m', ({ status }) => status === 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual({ m: 1 });
  });
});

describe('copies do not multiply', () => {
  it('when leases end one after the other, then each lasts twice as long as the one before', async () => {
    const scripted = new ScriptedChannel();
    failOnce();
    await queue.run(replica({ republishBy: scripted, retryingLeaseMs: 10_000 }));
    await owed('m');
    await queue.world.makeDue();
    // From then on the sweep itself makes it due, and it may be claimed again before we look.
    for (let lost = 0; lost < 4; lost += 1) {
      await scripted.whenSent(lost + 1);
      const row = await queue.world.untilNote('m', ({ status }) => status === 'RETRYING');
      expect(row.dueInMs).toBeGreaterThan(10_000 * 2 ** lost - 3_000);
      expect(row.dueInMs).toBeLessThanOrEqual(10_000 * 2 ** lost);
      await queue.world.makeDue();
      await queue.world.untilNote('m', ({ lostCount }) => lostCount === lost + 1);
    }
  });

  it('when the queue is deeper than a lease covers, then there is no room until so many have been handled in one', async () => {
    for (let index = 0; index < 20; index += 1) queue.publish(`waiting-${String(index)}`);
    await queue.untilWaiting(20);
    const republisher = new Republisher({
      ...{ queue: queue.queue, channel, events: queue.world.db.events, leaseMs: 30_000, prefetch: 10 },
      depth: () => queue.broker.messagesIn(queue.queue),
    });
    expect(await republisher.hasRoom()).toBe(false);
    queue.world.db.events.emit('consumed', { consumer: 'test', count: 15, duplicates: 5, batch: true, tookMs: 1 });
    expect(await republisher.hasRoom()).toBe(true);
  });

  it('when there is no room, then nothing is claimed', async () => {
    failOnce();
    const looked = jest.spyOn(Republisher.prototype, 'hasRoom').mockResolvedValue(false);
    await queue.run(replica());
    await owed('m');
    await queue.world.makeDue();
    const before = looked.mock.calls.length;
    await eventually(() => looked.mock.calls.length > before + 2);
    expect(await note('m')).toMatchObject({ status: 'PENDING_RETRY', version: 0 });
    looked.mockRestore();
    await queue.world.untilNote('m', ({ status }) => status === 'SUCCESS');
  });
});
