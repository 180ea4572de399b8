import { changeRows } from '../database/rows.js';
import { MessageTableError, PermanentError } from '../errors.js';
import { aReceived, ConsumerWorld } from '../testkit/consumer-world.js';
import { eventually } from '../testkit/eventually.js';
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

describe('a message takes effect once', () => {
  it('when it is new, then note and effect are there together', async () => {
    const message = aReceived();
    expect(await world.inbox(effect).handle([message])).toEqual(['success']);
    expect(await world.notes()).toMatchObject([{ messageId: message.messageId, status: 'SUCCESS', retryCount: 0 }]);
    expect(await counts()).toEqual({ [message.messageId]: 1 });
  });

  it('when it comes again, then nothing happens and it counts as a duplicate', async () => {
    const inbox = world.inbox(effect, {}, world.db);
    const message = aReceived();
    await inbox.handle([message]);
    const consumed = new Promise((resolve) => world.db.events.once('consumed', resolve));
    expect(await inbox.handle([message])).toEqual(['SUCCESS']);
    expect(await consumed).toMatchObject({ count: 0, duplicates: 1 });
    expect(await counts()).toEqual({ [message.messageId]: 1 });
  });

  it('when copies come in one batch, then one of them takes effect and the others are duplicates', async () => {
    const [a, b] = [aReceived(), aReceived()];
    const consumed = new Promise((resolve) => world.db.events.once('consumed', resolve));
    const endings = await world.inbox(effect, {}, world.db).handle([b, a, b, b, a]);
    expect(endings).toEqual(Array(5).fill('success'));
    expect(await consumed).toMatchObject({ count: 2, duplicates: 3 });
    expect(await counts()).toEqual({ [a.messageId]: 1, [b.messageId]: 1 });
  });

  it('when one message id reaches two effects, then each takes place once', async () => {
    const message = aReceived();
    const other = new ScriptedEffect('other');
    await world.inbox(effect).handle([message]);
    await world.inbox(other).handle([{ ...message, consumer: 'other' }]);
    expect(await counts()).toEqual({ [message.messageId]: 2 });
  });

  it('INB-02: when three consumers get the same message and the first rolls back, then one of the others does it and nobody counts a failure', async () => {
    const message = aReceived();
    const firstHolds = gate();
    const othersWait = gate();
    effect.before = async () => {
      if (effect.calls.length > 1) return;
      firstHolds.open();
      await othersWait.opened;
      throw Object.assign(new Error('Deadlock found'), { errno: 1213 });
    };
    const first = world.inbox(effect).handle([message]);
    await firstHolds.opened;
    const others = [world.inbox(effect).handle([message]), world.inbox(effect).handle([message])];
    await eventually(async () => (await waitingInserts()) >= 2);
    othersWait.open();
    const endings = (await Promise.all([first, ...others])).flat();
    expect(endings.sort()).toEqual(['SUCCESS', 'SUCCESS', 'success']);
    expect(await world.notes()).toMatchObject([{ status: 'SUCCESS', retryCount: 0 }]);
    expect(await counts()).toEqual({ [message.messageId]: 1 });
  });

  it('INB-02: when three consumers get the same batches at once, again and again, then each message takes effect once and none fails', async () => {
    const inboxes = [world.inbox(effect), world.inbox(effect), world.inbox(effect)];
    for (let round = 0; round < 10; round += 1) {
      const batch = Array.from({ length: 20 }, () => aReceived());
      await Promise.all(inboxes.map((inbox, index) => inbox.handle(index === 0 ? batch : [...batch].reverse())));
    }
    const notes = await world.notes();
    expect(notes).toHaveLength(200);
    expect(notes.every(({ status, retryCount }) => status === 'SUCCESS' && retryCount === 0)).toBe(true);
    expect(Object.values(await counts())).toEqual(Array(200).fill(1));
  });

  async function waitingInserts(): Promise<number> {
    const [rows] = (await world.db.knex.raw(
      `SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '%INSERT INTO consumer_message%' AND info NOT LIKE '%processlist%'`,
    )) as [{ n: number | string }[]];
    return Number(rows[0]?.n);
  }
});

describe('a handling that throws', () => {
  it('when the effect throws, then nothing of it stays and the note waits for its back-off', async () => {
    effect.before = () => Promise.reject(new Error('no such product'));
    const message = aReceived();
    expect(await world.inbox(effect).handle([message])).toEqual(['PENDING_RETRY']);
    const note = await world.note(message.messageId);
    expect(note).toMatchObject({ status: 'PENDING_RETRY', retryCount: 1, errorMsg: 'no such product', version: 0 });
    expect(note?.dueInMs).toBeGreaterThan(1_400);
    expect(note?.dueInMs).toBeLessThan(2_500);
    expect(await counts()).toEqual({});
  });

  it('when it throws for good, then the note is FAILED at once', async () => {
    effect.before = () => Promise.reject(new PermanentError('broken'));
    const message = aReceived();
    expect(await world.inbox(effect).handle([message])).toEqual(['FAILED']);
    expect(await world.note(message.messageId)).toMatchObject({ status: 'FAILED', retryCount: 1, dueInMs: null });
  });

  it('when one of a batch throws, then it alone fails and its neighbours take effect', async () => {
    const batch = Array.from({ length: 10 }, () => aReceived());
    const poison = batch[4]?.messageId ?? '';
    effect.before = (ids) => (ids.includes(poison) ? Promise.reject(new Error('poison')) : undefined);
    const endings = await world.inbox(effect).handle(batch);
    expect(endings.map((ending) => (ending === 'success' ? 1 : ending))).toEqual([
      1,
      1,
      1,
      1,
      'PENDING_RETRY',
      1,
      1,
      1,
      1,
      1,
    ]);
    expect(Object.keys(await counts())).toHaveLength(9);
    expect(await counts()).not.toHaveProperty(poison);
  });

  it('when a first attempt fails, then it is counted as a failure and not as a duplicate', async () => {
    effect.before = () => Promise.reject(new Error('no'));
    const consumed = new Promise((resolve) => world.db.events.once('consumed', resolve));
    await world.inbox(effect, {}, world.db).handle([aReceived()]);
    expect(await consumed).toMatchObject({ count: 0, duplicates: 0 });
  });

  it('INB-07: when the message was redelivered and took effect before the failure is written, then SUCCESS stays', async () => {
    const message = aReceived();
    const slow = world.inbox(effect);
    await world.inbox(effect).handle([message]);
    expect(await slow.recordFailure(message, new Error('stalled after the rollback'))).toBe('SUCCESS');
    expect(await world.note(message.messageId)).toMatchObject({
      status: 'SUCCESS',
      retryCount: 0,
      version: 0,
      errorMsg: null,
    });
  });

  it('when the effect itself meets a duplicate of another key, then that is a failure of the message', async () => {
    await changeRows(world.db.knex, 'ALTER TABLE took_effect ADD UNIQUE KEY once (message_id)');
    const message = aReceived();
    await changeRows(world.db.knex, 'INSERT INTO took_effect VALUES (?)', [message.messageId]);
    expect(await world.inbox(effect).handle([message])).toEqual(['PENDING_RETRY']);
    expect((await world.note(message.messageId))?.errorMsg).toContain("for key 'once'");
  });
});

describe("the database's own trouble is never the message's", () => {
  const withFacts = (facts: object): Error => Object.assign(new Error('trouble'), facts);
  const trouble: [string, Error][] = [
    ['a lost connection', withFacts({ code: 'PROTOCOL_CONNECTION_LOST', fatal: true })],
    ['too many connections', withFacts({ errno: 1040 })],
    ['a read-only server', withFacts({ errno: 1290 })],
    ['a full disk', withFacts({ errno: 1021 })],
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
    effect.before = async (_, trx) =>
      void (await trx.raw(`UPDATE took_effect SET message_id = 'hot' WHERE message_id = 'hot'`));
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
