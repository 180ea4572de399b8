import { changeRows } from '../database/rows.js';
import { MessageTableError } from '../errors.js';
import { aReceived, ConsumerWorld } from '../testkit/consumer-world.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import { StatementProxy } from '../testkit/statement-proxy.js';

let world: ConsumerWorld;
let effect: ScriptedEffect;
beforeEach(async () => {
  world = await ConsumerWorld.open();
  await ScriptedEffect.prepare(world.db);
  effect = new ScriptedEffect();
});
afterEach(() => world[Symbol.asyncDispose]());

const counts = (): Promise<Record<string, number>> => ScriptedEffect.counts(world.db);

/** A promise and the way to keep it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe("the database's own trouble is never the message's", () => {
  const withFacts = (facts: object): Error => Object.assign(new Error('trouble'), facts);
  const trouble: [string, Error][] = [
    ['a lost connection', withFacts({ code: 'PROTOCOL_CONNECTION_LOST', fatal: true })],
    ['too many connections', withFacts({ errno: 1040 })],
    ['a read-only server', withFacts({ errno: 1290 })],
    ['a full disk', withFacts({ errno: 1021 })],
    ['a host that is not let in', withFacts({ errno: 1130 })],
    ['a proxy without a server behind it', withFacts({ errno: 9001 })],
    ['no worker id to be leased', new MessageTableError('NO_WORKER_ID', 'none')],
  ];

  it.each(trouble)('when there is %s, then nothing is recorded and the caller keeps the message', async (_, error) => {
    effect.before = () => Promise.reject(error);
    await expect(world.inbox(effect).handle([aReceived(), aReceived()])).rejects.toBe(error);
    expect(await world.notes()).toEqual([]);
  });

  it('DB-02: when a lock is waited for too long, then the whole transaction is repeated and no half of it stays', async () => {
    await changeRows(world.db.knex, `INSERT INTO took_effect VALUES ('hot')`);
    const impatient = world.fresh.another({ lockWaitS: 1 });
    const blocker = await world.db.knex.transaction();
    await blocker.raw(`SELECT * FROM took_effect WHERE message_id = 'hot' FOR UPDATE`);
    effect.before = async (_, trx) => {
      await trx.raw(`UPDATE took_effect SET message_id = 'hot' WHERE message_id = 'hot'`);
    };
    const retried = new Promise((resolve) => impatient.events.once('transactionRetried', resolve));
    const message = aReceived();
    const handled = world.inbox(effect, {}, impatient).handle([message]);
    await retried;
    expect(await world.notes()).toEqual([]);
    await blocker.rollback();
    expect(await handled).toEqual(['success']);
    expect(await world.notes()).toMatchObject([{ status: 'SUCCESS', retryCount: 0 }]);
    expect(await counts()).toMatchObject({ [message.messageId]: 1 });
  });

  it('DB-02: when two effects lock in opposite order, then the one that lost is repeated whole and both are done once', async () => {
    await changeRows(world.db.knex, 'CREATE TABLE pair (id INT PRIMARY KEY, n INT NOT NULL)');
    await changeRows(world.db.knex, 'INSERT INTO pair VALUES (1, 0), (2, 0)');
    const met = [gate(), gate()];
    const locking = (mine: number): ScriptedEffect => {
      const one = new ScriptedEffect(`effect-${String(mine)}`);
      one.before = async (_, trx) => {
        await trx.raw('UPDATE pair SET n = n + 1 WHERE id = ?', [mine]);
        met[mine - 1]?.open();
        await Promise.all(met.map(({ opened }) => opened));
        await trx.raw('UPDATE pair SET n = n + 1 WHERE id = ?', [3 - mine]);
      };
      return one;
    };
    const message = aReceived();
    const both = await Promise.all(
      [1, 2].map((mine) => world.inbox(locking(mine)).handle([{ ...message, consumer: `effect-${String(mine)}` }])),
    );
    expect(both.flat()).toEqual(['success', 'success']);
    expect(await counts()).toEqual({ [message.messageId]: 2 });
    const [rows] = (await world.db.knex.raw('SELECT n FROM pair')) as [{ n: number }[]];
    expect(rows.map(({ n }) => n)).toEqual([2, 2]);
  });

  it('DB-01: when the answer of COMMIT is lost, then handling again finds the note and nothing is doubled', async () => {
    const proxy = await StatementProxy.before(world.fresh.url);
    world.atEnd(() => proxy[Symbol.asyncDispose]());
    const inbox = world.inbox(effect, {}, world.fresh.another({ url: proxy.url }));
    const batch = [aReceived(), aReceived()];
    proxy.strike('COMMIT;', 'cut-answer');
    await expect(inbox.handle(batch)).rejects.toMatchObject({ code: 'COMMIT_UNKNOWN' });
    expect(await inbox.handle(batch)).toEqual(['SUCCESS', 'SUCCESS']);
    expect(Object.values(await counts())).toEqual([1, 1]);
  });

  it('DB-01: when COMMIT never reached the server, then handling again does it once', async () => {
    const proxy = await StatementProxy.before(world.fresh.url);
    world.atEnd(() => proxy[Symbol.asyncDispose]());
    const inbox = world.inbox(effect, {}, world.fresh.another({ url: proxy.url }));
    const message = aReceived();
    proxy.strike('COMMIT;', 'cut-before');
    await expect(inbox.handle([message])).rejects.toMatchObject({ code: 'COMMIT_UNKNOWN' });
    expect(await inbox.handle([message])).toEqual(['success']);
    expect(await counts()).toEqual({ [message.messageId]: 1 });
  });

  it('INB-03: when the failure cannot be written either, then the caller is told and nothing is lost', async () => {
    const proxy = await StatementProxy.before(world.fresh.url);
    world.atEnd(() => proxy[Symbol.asyncDispose]());
    const inbox = world.inbox(effect, {}, world.fresh.another({ url: proxy.url }));
    effect.before = () => Promise.reject(new Error('no such product'));
    const message = aReceived();
    proxy.strike(`'PENDING_RETRY', 1`, 'cut-before');
    await expect(inbox.handle([message])).rejects.toMatchObject({ fatal: true });
    expect(await world.notes()).toEqual([]);
    expect(await inbox.handle([message])).toEqual(['PENDING_RETRY']);
  });

  it('INB-03: when everything is refused with a number that is on no list, then no message is blamed and the caller keeps it', async () => {
    const proxy = await StatementProxy.before(world.fresh.url);
    world.atEnd(() => proxy[Symbol.asyncDispose]());
    const inbox = world.inbox(effect, {}, world.fresh.another({ url: proxy.url }));
    const message = aReceived();
    for (const text of ['BEGIN;', 'INSERT INTO consumer_message']) proxy.strike(text, 'unlisted');
    await expect(inbox.handle([message])).rejects.toMatchObject({ name: 'NotNoted', cause: { errno: 9999 } });
    expect(proxy.struck).toBe(2);
    expect(await inbox.handle([message])).toEqual(['success']);
    expect(await world.notes()).toMatchObject([{ status: 'SUCCESS', retryCount: 0 }]);
  });

  it('when the table refuses the values of one message, then that one ends as unstorable, and is not tried for ever', async () => {
    const message = aReceived({ routingKey: 'x'.repeat(300) });
    const other = aReceived();
    expect(await world.inbox(effect).handle([message, other])).toEqual(['unstorable', 'success']);
  });
});

describe('what cannot be handled whatever the effect does', () => {
  it('when it is older than notes are kept, then it is FAILED and has no effect', async () => {
    const message = aReceived({ headers: { 'x-created': Date.now() - 3_600_000 } });
    const fresh = aReceived({ headers: { 'x-created': Date.now() - 1_000 } });
    const inbox = world.inbox(effect, { retentionMs: 1_800_000 });
    expect(await inbox.handle([message, fresh])).toEqual(['FAILED', 'success']);
    expect((await world.note(message.messageId))?.errorMsg).toMatch(/^too-old/);
    expect(await counts()).toEqual({ [fresh.messageId]: 1 });
  });

  it('when it is old and has a note, then the note stands', async () => {
    const message = aReceived({ headers: { 'x-created': Date.now() - 3_600_000 } });
    await world.inbox(effect).handle([message]);
    expect(await world.inbox(effect, { retentionMs: 1_800_000 }).handle([message])).toEqual(['SUCCESS']);
  });

  it('when no statement can hold it, then the line to the database is not cut and its neighbours take effect', async () => {
    const destroyed = jest.fn();
    const db = world.fresh.another();
    db.events.on('connectionDestroyed', destroyed);
    const huge = aReceived({ body: Buffer.alloc(17 * 1024 * 1024, '{') });
    const small = aReceived();
    expect(await world.inbox(effect, {}, db).handle([huge, small])).toEqual(['unstorable', 'success']);
    expect(await world.note(huge.messageId)).toBeNull();
    expect(destroyed).not.toHaveBeenCalled();
  });

  it.each([8_000_000, 4_000_000])(
    'when %d bytes of quotes are to be kept, then the statement fits or is not sent',
    async (bytes) => {
      const message = aReceived({ body: Buffer.alloc(bytes, '"') });
      const fits = 2 * bytes < 16 * 1024 * 1024 - 8 * 1024;
      expect(await world.inbox(effect).handle([message])).toEqual([fits ? 'success' : 'unstorable']);
    },
  );
});
