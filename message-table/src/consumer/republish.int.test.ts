import { CONFIRMED, refused, refusedForGood, unknown, type Outcome } from '../channels/outcome.js';
import type { Channel, Outgoing } from '../channels/channel.js';
import type { QueueConsumingOptions } from '../queue-consuming.js';
import { QueueWorld } from '../testkit/queue-world.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';

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

describe('REDELIVERY=republish: what failed goes through its queue again', () => {
  it('INB-01: when the cause is mended, then the copy takes effect once, and a later delivery changes nothing', async () => {
    failOnce();
    await queue.run(replica());
    await owed('m');
    await queue.world.makeDue();
    await queue.world.untilNote('m', ({ status }) => status === 'SUCCESS');
    queue.publish('m');
    await queue.untilEmpty();
    expect(await counts()).toEqual({ m: 1 });
    expect(await note('m')).toMatchObject({ retryCount: 1, version: 2 });
  });

  it('when it is republished, then the copy names its claim and keeps headers, address and time of creation', async () => {
    const scripted = new ScriptedChannel();
    failOnce();
    await queue.run(replica({ republishBy: scripted }));
    await owed('m');
    await queue.world.makeDue();
    await scripted.whenSent(1);
    expect(scripted.sendings[0]?.message).toMatchObject({
      messageId: 'm',
      exchange: 'test.exchange',
      routingKey: 'key',
      content: '{}',
      createdMs: CREATED_MS,
      headers: { 'x-redelivery': 1, traceparent: '00-1' },
    } satisfies Partial<Record<keyof Outgoing, unknown>>);
    expect(await note('m')).toMatchObject({ status: 'RETRYING', version: 1 });
  });

  it('RTY-01: when a publish is not confirmed, then the note stays due and no attempt is counted', async () => {
    const answers: Outcome[] = [unknown('no answer'), refused('NO_ROUTE'), CONFIRMED];
    const scripted = new ScriptedChannel();
    scripted.automatic = () => answers.shift() ?? CONFIRMED;
    failOnce();
    await queue.run(replica({ republishBy: scripted }));
    await owed('m');
    for (let sent = 1; sent <= 3; sent += 1) {
      await queue.world.makeDue();
      await scripted.whenSent(sent);
      if (sent < 3)
        await queue.world.untilNote('m', ({ status, version }) => status === 'PENDING_RETRY' && version === 2 * sent);
    }
    expect(await note('m')).toMatchObject({ status: 'RETRYING', retryCount: 1, lostCount: 0 });
    expect(scripted.sendings.map(({ message }) => message.version)).toEqual([1, 3, 5]);
  });

  it('RTY-01: when the broker is away, then nothing is claimed', async () => {
    const scripted = new ScriptedChannel();
    failOnce();
    await queue.run(replica({ republishBy: scripted }));
    await owed('m');
    scripted.up = false;
    await queue.world.makeDue();
    await owed('other');
    expect(await note('m')).toMatchObject({ status: 'PENDING_RETRY', version: 0 });
    scripted.up = true;
    await scripted.whenSent(1);
  });

  it('RTY-01: when two tasks look for one slow message, then one copy per claim is in the queue and it is tried once', async () => {
    failOnce();
    await queue.run(replica());
    await queue.run(replica());
    await owed('m');
    await queue.world.makeDue();
    await queue.world.untilNote('m', ({ status }) => status === 'SUCCESS');
    expect(effect.tries('m')).toBe(2);
  });

  it('RLY-08: when it always fails with two replicas, then it is tried five times in all and is FAILED', async () => {
    effect.before = () => Promise.reject(new Error('no such product'));
    await queue.run(replica());
    await queue.run(replica());
    await owed('m');
    for (let retryCount = 2; retryCount <= 5; retryCount += 1) {
      await queue.world.makeDue();
      await queue.world.untilNote('m', (row) => row.retryCount === retryCount);
    }
    expect(await note('m')).toMatchObject({ status: 'FAILED', dueInMs: null });
    expect(effect.tries('m')).toBe(5);
    await queue.untilEmpty();
  });

  it('when a copy cannot be published at all, then it is handled in place', async () => {
    const scripted = new ScriptedChannel();
    scripted.automatic = () => refusedForGood('cannot be encoded');
    failOnce();
    await queue.run(replica({ republishBy: scripted }));
    await owed('m');
    await queue.world.makeDue();
    await queue.world.untilNote('m', ({ status }) => status === 'SUCCESS');
  });

  it('when a message came in another way, then it is handled in place', async () => {
    const scripted = new ScriptedChannel();
    const consuming = await queue.run(replica({ republishBy: scripted }));
    const received = {
      messageId: 'by-http',
      consumer: 'test',
      receivedBy: 'POST /deductions',
      exchange: '',
      routingKey: '',
    };
    await consuming.inbox.recordFailure(
      { ...received, headers: {}, body: Buffer.from('{}') },
      new Error('first attempt'),
    );
    await queue.world.makeDue();
    await queue.world.untilNote('by-http', ({ status }) => status === 'SUCCESS');
    expect(scripted.sendings).toEqual([]);
  });
});
