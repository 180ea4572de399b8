import { changeRows, selectRows } from '../database/rows.js';
import { PermanentError } from '../errors.js';
import { aReceived, ConsumerWorld, RETRY, type NoteRow } from '../testkit/consumer-world.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import type { Received } from './consumer-message.js';
import { createRedeliveryTask } from './redelivery-task.js';
import { retryNote } from './store/actions.js';
import { claimForRetry } from './store/retry-claim.js';

let world: ConsumerWorld;
let effect: ScriptedEffect;
beforeEach(async () => {
  world = await ConsumerWorld.open();
  await ScriptedEffect.prepare(world.db);
  effect = new ScriptedEffect();
});
afterEach(() => world[Symbol.asyncDispose]());

const counts = (): Promise<Record<string, number>> => ScriptedEffect.counts(world.db);
const DAY_MS = 86_400_000;
const ANNA = { who: 'anna', why: 'the product is there now' };

const task = (db = world.fresh.another(), effects = [effect]) =>
  createRedeliveryTask({ db, effects, retry: RETRY, leaseMs: 30_000, pollMs: 10 });

const failedFor = (message: Received) => world.untilNote(message.messageId, ({ status }) => status === 'FAILED');

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

  it('RTY-02: when it is retried, then all attempts are back and it is recorded who did it and why [FAILED→PENDING_RETRY retried by a person]', async () => {
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
