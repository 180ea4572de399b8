import { changeRows } from '../database/rows.js';
import { PermanentError } from '../errors.js';
import { aReceived, ConsumerWorld } from '../testkit/consumer-world.js';
import { eventually } from '../testkit/eventually.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';

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
  it('when it is new, then note and effect are there together [new→SUCCESS consumed]', async () => {
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
  it('when the effect throws, then nothing of it stays and the note waits for its back-off [new→PENDING_RETRY effect threw]', async () => {
    effect.before = () => Promise.reject(new Error('no such product'));
    const message = aReceived();
    expect(await world.inbox(effect).handle([message])).toEqual(['PENDING_RETRY']);
    const note = await world.note(message.messageId);
    expect(note).toMatchObject({ status: 'PENDING_RETRY', retryCount: 1, errorMsg: 'no such product', version: 0 });
    expect(note?.dueInMs).toBeGreaterThan(1_400);
    expect(note?.dueInMs).toBeLessThan(2_500);
    expect(await counts()).toEqual({});
  });

  it('when it throws for good, then the note is FAILED at once [new→FAILED cannot be handled]', async () => {
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
    expect((await world.note(message.messageId))?.errorMsg).toMatch(/for key '(took_effect\.)?once'/);
  });
});
