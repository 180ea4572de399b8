import { selectRows } from '@counterfoil/message-table/rows';

import type { Difference } from './difference.js';
import { reconcile } from './reconcile.js';
import { repair } from './repair.js';
import { PlantedSystem } from './testing/planted-system.js';

let system: PlantedSystem;
beforeEach(async () => {
  system = await PlantedSystem.create();
});
afterEach(() => system[Symbol.asyncDispose]());

const WEEK_MS = 604_800_000;
const ANN = { who: 'ann', why: 'the queue was deleted' };

async function differences(inFlightMs = 60_000): Promise<Difference[]> {
  const found: Difference[] = [];
  const { databases } = system;
  await reconcile({ databases, inFlightMs, days: 30, onDifference: (one) => void found.push(one) });
  return found;
}

const named = async (inFlightMs?: number): Promise<string[]> =>
  (await differences(inFlightMs)).map(({ kind, route, orderId, messageId }) =>
    [kind, route, system.nameOf(orderId), system.nameOf(messageId)].join(' '),
  );

const repaired = (difference: Difference) =>
  repair({ databases: system.databases, person: ANN, retentionMs: WEEK_MS }, difference);

describe('a system in which everything fits', () => {
  it('when orders are decided, archived or just placed, then there is no difference, and everything was looked at', async () => {
    await system.order('live');
    await system.order('archived', { archived: ['message', 'note', 'decision', 'decision-note'] });
    await system.order('rejected', { outcome: 'REJECTED' });
    await system.order('fresh', { upTo: 'accepted', ageS: 5 });
    await system.order('just-sent', { upTo: 'sent', ageS: 5 });
    const { databases } = system;
    const looked = await reconcile({ databases, inFlightMs: 60_000, days: 30, onDifference: () => undefined });
    expect(await named()).toEqual([]);
    expect(looked).toEqual({ orders: 5, deductions: 5, deductionNotes: 3, decisions: 3, decisionNotes: 3 });
  });

  it('when there is more than a page of everything, then each is looked at once', async () => {
    for (let index = 0; index < 3; index += 1) await system.order(`order-${String(index)}`);
    await system.copies(900);
    const { databases } = system;
    const looked = await reconcile({ databases, inFlightMs: 0, days: 30, onDifference: () => undefined });
    expect(looked).toMatchObject({ orders: 903, deductions: 903, deductionNotes: 903, decisions: 903 });
    expect(await named(0)).toEqual([]);
  });

  it('when an order is older than it looks back, then it is left alone: its message may have left the archive', async () => {
    await system.order('old', { ageS: 31 * 86_400 });
    await system.deleteMessage('order', 'deduction-old');
    expect(await named()).toEqual([]);
  });
});

describe('every kind of difference is found, by its ids, and nothing else is', () => {
  it.each([
    [
      'order-without-message',
      () => system.order('a').then(() => system.deleteMessage('order', 'deduction-a')),
      ['order-without-message deduction a deduction-a', 'note-without-message deduction ? deduction-a'],
    ],
    [
      'message-without-order',
      () => system.order('a').then(() => system.deleteOrder('a')),
      ['message-without-order deduction a deduction-a', 'message-without-order decision a decision-a'],
    ],
    ['message-waiting', () => system.order('a', { upTo: 'accepted' }), ['message-waiting deduction a deduction-a']],
    [
      'message-failed',
      () => system.order('a', { upTo: 'accepted' }).then(() => system.fail('order', 'deduction-a')),
      ['message-failed deduction a deduction-a'],
    ],
    ['not-received', () => system.order('a', { upTo: 'sent' }), ['not-received deduction a deduction-a']],
    [
      'not-received, archived',
      () => system.order('a', { upTo: 'sent', archived: ['message'] }),
      ['not-received deduction a deduction-a'],
    ],
    ['note-waiting', () => system.order('a', { upTo: 'owed' }), ['note-waiting deduction a deduction-a']],
    [
      'note-failed',
      () => system.order('a', { upTo: 'owed' }).then(() => system.failNote('deduction-a')),
      ['note-failed deduction a deduction-a'],
    ],
    [
      'product-missing',
      () => system.order('a', { upTo: 'owed', product: 'missing' }),
      ['product-missing deduction a deduction-a'],
    ],
    ['note-without-message', () => system.strangeNote('stranger'), ['note-without-message deduction ? stranger']],
    ['no-decision', () => system.order('a', { upTo: 'noted' }), ['no-decision decision a deduction-a']],
    ['a decision that waits', () => system.order('a', { upTo: 'decided' }), ['message-waiting decision a decision-a']],
    [
      'a decision that never arrived',
      () => system.order('a', { upTo: 'decision-sent' }),
      ['not-received decision a decision-a'],
    ],
    [
      'order-not-decided',
      () => system.order('a').then(() => system.undecide('a')),
      ['order-not-decided decision a decision-a'],
    ],
    [
      'message-twice',
      () => system.order('a').then(() => system.alsoArchived('message', 'deduction-a')),
      ['message-twice deduction a deduction-a'],
    ],
    [
      'note-twice',
      () => system.order('a').then(() => system.alsoArchived('note', 'deduction-a')),
      ['note-twice deduction ? deduction-a'],
    ],
  ] as [string, () => Promise<void>, string[]][])('when there is: %s', async (_what, plant, expected) => {
    await system.order('right');
    await plant();
    expect(await named()).toEqual(expected);
  });
});

describe("what can be repaired is repaired in a person's name", () => {
  it('when a message never arrived, then it is replayed, once, out of the archive as well, and recorded', async () => {
    await system.order('live', { upTo: 'sent' });
    await system.order('archived', { upTo: 'sent', archived: ['message'] });
    const found = await differences();
    expect(await Promise.all(found.map(repaired))).toEqual(['done', 'done']);
    expect(await Promise.all(found.map(repaired))).toEqual(['state-moved', 'state-moved']);
    expect(await system.statusOf('order', 'deduction-archived')).toBe('PENDING');
    const recorded = await selectRows(
      system.databases.order.knex,
      'SELECT message_id AS messageId, action, who, why FROM message_action ORDER BY message_id',
    );
    expect(recorded).toEqual([
      { messageId: 'deduction-archived', action: 'replay', ...ANN },
      { messageId: 'deduction-live', action: 'replay', ...ANN },
    ]);
    // On its way again.
    expect(await named()).toEqual([
      'message-waiting deduction live deduction-live',
      'message-waiting deduction archived deduction-archived',
    ]);
  });

  it('when a message or a note was given up, then it is retried where it stands', async () => {
    await system.order('message', { upTo: 'accepted' });
    await system.fail('order', 'deduction-message');
    await system.order('note', { upTo: 'owed' });
    await system.failNote('deduction-note');
    expect(await Promise.all((await differences()).map(repaired))).toEqual(['done', 'done']);
    expect(await named()).toEqual([
      'message-waiting deduction message deduction-message',
      'note-waiting deduction note deduction-note',
    ]);
  });

  it('when it is older than the notes are kept, then it is left alone', async () => {
    await system.order('old', { upTo: 'sent', ageS: 8 * 86_400 });
    expect(await Promise.all((await differences()).map(repaired))).toEqual(['too-old']);
    expect(await system.statusOf('order', 'deduction-old')).toBe('SENT');
  });

  it('when no replay can repair it, then nothing is done', async () => {
    await system.order('a', { upTo: 'noted' });
    await system.order('b', { upTo: 'accepted' });
    expect((await Promise.all((await differences()).map(repaired))).sort()).toEqual(['not-repairable', 'wait']);
  });
});
