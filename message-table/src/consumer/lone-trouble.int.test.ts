import { aReceived, ConsumerWorld } from '../testkit/consumer-world.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import { StatementProxy } from '../testkit/statement-proxy.js';
import { TcpProxy } from '../testkit/tcp-proxy.js';
import type { Received } from './consumer-message.js';
import { HttpIntake } from './http-intake.js';
import type { Inbox } from './inbox.js';

let world: ConsumerWorld;
let effect: ScriptedEffect;
beforeEach(async () => {
  world = await ConsumerWorld.open();
  await ScriptedEffect.prepare(world.db);
  effect = new ScriptedEffect();
});
afterEach(() => world[Symbol.asyncDispose]());

/** The schema is older than one branch of the program. */
const NO_COLUMN = { errno: 1054 };

function poisonedBy(...poisons: readonly Received[]): void {
  effect.before = async (batch, trx) => {
    if (poisons.some(({ messageId }) => batch.includes(messageId)))
      await trx.raw('SELECT no_such_column FROM took_effect');
  };
}

async function failsAlone(inbox: Inbox, message: Received, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await expect(inbox.handle([message])).rejects.toMatchObject(NO_COLUMN);
}

describe('a message that alone meets the trouble of the database', () => {
  it('when it has been put aside and comes again, to whomever, then its note stands and nothing is tried', async () => {
    const inbox = world.inbox(effect);
    const poison = aReceived();
    poisonedBy(poison);
    const told: object[] = [];
    const counted = world.fresh.another();
    counted.events.on('putAside', (facts) => told.push(facts));
    const counting = world.inbox(effect, {}, counted);
    await failsAlone(counting, poison, 2);
    expect(await counting.handle([poison])).toEqual(['PENDING_RETRY']);
    expect(told).toMatchObject([{ consumer: 'test', messageId: poison.messageId }]);
    const note = await world.note(poison.messageId);
    expect(note).toMatchObject({
      retryCount: 0,
      version: 0,
      errorMsg: expect.stringContaining('ER_BAD_FIELD_ERROR') as string,
    });
    const tries = effect.tries(poison.messageId);
    for (const one of [counting, inbox]) expect(await one.handle([poison])).toEqual(['PENDING_RETRY']);
    expect(effect.tries(poison.messageId)).toBe(tries);
    expect(await world.note(poison.messageId)).toMatchObject({ retryCount: 0, version: 0 });
  });

  it('when it fails beside others, then that is not counted', async () => {
    const inbox = world.inbox(effect);
    const [poison, other] = [aReceived(), aReceived()];
    poisonedBy(poison);
    for (let time = 0; time < 5; time += 1)
      await expect(inbox.handle([poison, other])).rejects.toMatchObject(NO_COLUMN);
    await failsAlone(inbox, poison, 2);
    expect(await world.notes()).toEqual([]);
  });

  it('when a second one follows and nothing took effect since, then it is kept, until something does', async () => {
    const inbox = world.inbox(effect);
    const [first, second, good] = [aReceived(), aReceived(), aReceived()];
    poisonedBy(first, second);
    await failsAlone(inbox, first, 2);
    expect(await inbox.handle([first])).toEqual(['PENDING_RETRY']);
    await failsAlone(inbox, second, 4);
    expect(await inbox.handle([good])).toEqual(['success']);
    expect(await inbox.handle([second])).toEqual(['PENDING_RETRY']);
  });

  it('when the database does not answer meanwhile, then what failed in that time is not counted', async () => {
    const url = new URL(world.fresh.url);
    const proxy = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
    world.atEnd(() => proxy.stop());
    url.port = String(proxy.listeningPort);
    const line = { url: url.href, deadlineMs: 300, acquireTimeoutMs: 300 };
    const inbox = world.inbox(effect, {}, world.fresh.another(line));
    const message = aReceived();
    proxy.swallow('toServer');
    for (let time = 0; time < 4; time += 1) await expect(inbox.handle([message])).rejects.toThrow();
    proxy.reset();
    proxy.heal();
    poisonedBy(message);
    await failsAlone(inbox, message, 2);
    expect(await world.notes()).toEqual([]);
    expect(await inbox.handle([message])).toEqual(['PENDING_RETRY']);
  });

  it('when its note cannot be written, then it is kept as in any outage, and noted once when it can', async () => {
    const proxy = await StatementProxy.before(world.fresh.url);
    world.atEnd(() => proxy[Symbol.asyncDispose]());
    const inbox = world.inbox(effect, {}, world.fresh.another({ url: proxy.url }));
    const message = aReceived();
    poisonedBy(message);
    await failsAlone(inbox, message, 2);
    proxy.strike(`'PENDING_RETRY', 0`, 'cut-before');
    await expect(inbox.handle([message])).rejects.toMatchObject({ fatal: true });
    expect(await world.notes()).toEqual([]);
    proxy.strike(`'PENDING_RETRY', 0`, 'cut-answer');
    await expect(inbox.handle([message])).rejects.toMatchObject({ fatal: true });
    expect(await inbox.handle([message])).toEqual(['PENDING_RETRY']);
    expect(await world.notes()).toMatchObject([{ status: 'PENDING_RETRY', retryCount: 0, version: 0 }]);
  });

  it('when another process is quicker to do it, then what its note says stands', async () => {
    const db = world.fresh.another();
    const message = aReceived();
    poisonedBy(message);
    const elsewhere = world.inbox(new ScriptedEffect());
    let pings = 0;
    const ping = async (): Promise<void> => {
      pings += 1;
      if (pings === 3) await elsewhere.handle([message]);
    };
    const inbox = world.inbox(effect, {}, { ...db, ping });
    await failsAlone(inbox, message, 2);
    expect(await inbox.handle([message])).toEqual(['SUCCESS']);
    expect(await world.notes()).toMatchObject([{ status: 'SUCCESS', retryCount: 0 }]);
  });
});

describe('by HTTP', () => {
  it('when it comes together with others, then they take effect, and it is owned at its third time', async () => {
    const intake = new HttpIntake({ inbox: world.inbox(effect), batch: 10 });
    const poison = aReceived();
    poisonedBy(poison);
    for (let time = 1; time <= 3; time += 1) {
      const others = [aReceived(), aReceived(), aReceived()];
      const taken = await Promise.all([poison, ...others].map((message) => intake.take(message)));
      expect(taken).toEqual([time < 3 ? 'not-known' : 'PENDING_RETRY', 'success', 'success', 'success']);
    }
    expect(effect.calls.some((batch) => batch.length > 1)).toBe(true);
    expect(await world.note(poison.messageId)).toMatchObject({ status: 'PENDING_RETRY', retryCount: 0 });
  });

  it('when all of a batch meet trouble, then two are tried alone, and nothing is known of any', async () => {
    const intake = new HttpIntake({ inbox: world.inbox(effect), batch: 50 });
    const messages = Array.from({ length: 20 }, () => aReceived());
    poisonedBy(...messages);
    const taken = await Promise.all(messages.map((message) => intake.take(message)));
    expect(new Set(taken)).toEqual(new Set(['not-known']));
    expect(effect.calls.filter((batch) => batch.length === 1)).toHaveLength(2);
    expect(await world.notes()).toEqual([]);
  });
});
