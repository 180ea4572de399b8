import { eventually } from '../testkit/eventually.js';
import { QueueWorld } from '../testkit/queue-world.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import { StatementProxy } from '../testkit/statement-proxy.js';

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

describe('what is committed is acknowledged', () => {
  it('when messages come, then each takes effect once and the queue ends empty', async () => {
    await queue.run(queue.replica(effect));
    ids(300).forEach((id) => queue.publish(id));
    await queue.world.untilNotes(300, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(ids(300)));
    expect(effect.calls.length).toBeLessThan(300);
  });

  it('INB-02: when each message comes three times to three consumers, then each takes effect once and no attempt is used', async () => {
    for (let index = 0; index < 3; index += 1) await queue.run(queue.replica(effect));
    for (let copy = 0; copy < 3; copy += 1) ids(100).forEach((id) => queue.publish(id));
    await queue.world.untilNotes(100, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(ids(100)));
    expect((await queue.world.notes()).every(({ retryCount }) => retryCount === 0)).toBe(true);
  });

  it('AMQP-05: when the connection is lost while an effect runs, then the late ack goes nowhere, and the message is delivered again and known', async () => {
    const { proxy, amqpUrls } = await queue.lineToBroker();
    const duplicates: number[] = [];
    const db = queue.world.fresh.another();
    db.events.on('consumed', (facts) => duplicates.push(facts.duplicates));
    let done!: () => void;
    const finished = new Promise<void>((resolve) => (done = resolve));
    effect.before = () => finished;
    const lost = new Promise((resolve) => db.events.once('consumerLost', resolve));
    await queue.run(queue.replica(effect, { db, amqpUrls }));
    queue.publish('slow');
    await eventually(() => effect.calls.length === 1);
    proxy.reset();
    await lost;
    const back = new Promise((resolve) => db.events.once('consumerResumed', resolve));
    await back;
    done();
    queue.publish('next');
    await queue.world.untilNotes(2, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(['slow', 'next']));
    expect(duplicates.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('AMQP-11: when the broker closes the channel because an ack took too long, then consuming goes on and the effect took place once', async () => {
    await brokerSetting('consumer_timeout', 500, 1_800_000);
    await brokerSetting('channel_tick_interval', 300, 60_000);
    const db = queue.world.fresh.another();
    const lost = new Promise<{ reason: string }>((resolve) => db.events.once('consumerLost', resolve));
    let done!: () => void;
    const finished = new Promise<void>((resolve) => (done = resolve));
    effect.before = () => finished;
    await queue.run(queue.replica(effect, { db }));
    queue.publish('slow');
    // RabbitMQ 3 closes the channel, 4.3 cancels the consumer.
    expect((await lost).reason).toMatch(/406|cancelled the consumer/);
    done();
    queue.publish('next');
    await queue.world.untilNotes(2, 'SUCCESS');
    await queue.untilEmpty();
    expect(await counts()).toEqual(once(['slow', 'next']));
  });

  async function brokerSetting(name: string, value: number, usual: number): Promise<void> {
    const set = (to: number): Promise<string> =>
      queue.broker.ctl('eval', `application:set_env(rabbit, ${name}, ${String(to)}).`);
    queue.world.atEnd(() => set(usual));
    await set(value);
  }

  it('DB-01: when the answer of COMMIT is lost, then the deliveries are kept, found noted and acknowledged', async () => {
    const line = await StatementProxy.before(queue.world.fresh.url);
    queue.world.atEnd(() => line[Symbol.asyncDispose]());
    await queue.run(queue.replica(effect, { db: queue.world.fresh.another({ url: line.url }) }));
    effect.before = (batch) => {
      if (batch.includes('m0') && effect.tries('m0') === 1) line.strike('COMMIT;', 'cut-answer');
    };
    ids(20).forEach((id) => queue.publish(id));
    await queue.world.untilNotes(20, 'SUCCESS');
    await queue.untilEmpty();
    expect(line.struck).toBe(1);
    expect(await counts()).toEqual(once(ids(20)));
  });
});
