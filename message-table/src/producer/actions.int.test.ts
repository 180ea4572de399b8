import { refusedForGood } from '../channels/outcome.js';
import { changeRows, selectRows } from '../database/rows.js';
import { TableWorld, type ProducerRow } from '../testkit/table-world.js';
import { giveUpMessage, replayMessage, retryMessage } from './store/actions.js';

const ANN = { who: 'ann', why: 'the exchange is there now' };
const WEEK_MS = 7 * 24 * 3_600_000;

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const actions = (): Promise<{ messageId: string; action: string; who: string; why: string }[]> =>
  selectRows(world.db.knex, 'SELECT message_id AS messageId, action, who, why FROM message_action ORDER BY id');

async function aFailedMessage(): Promise<string> {
  world.channel.automatic = () => refusedForGood('404 no exchange');
  await world.relay();
  const { messageId } = await world.accept(await world.producer());
  await world.until(messageId, ({ status }) => status === 'FAILED');
  world.channel.automatic = () => ({ kind: 'confirmed' });
  return messageId;
}

/** What an action may change. */
const factsOf = ({ status, version, retryCount, lostCount, errorMsg }: ProducerRow): object => ({
  ...{ status, version, retryCount, lostCount, errorMsg },
});

describe('a person moves a message only from the state that was looked at', () => {
  it('RTY-02: when a FAILED message is retried, then it has all its attempts again and the deed is recorded [FAILED→PENDING retried by a person]', async () => {
    const messageId = await aFailedMessage();
    expect(await retryMessage(world.db, messageId, ANN, WEEK_MS)).toBe('done');
    expect(await world.until(messageId, ({ status }) => status === 'SENT')).toMatchObject({ retryCount: 0 });
    expect(await actions()).toEqual([{ messageId, action: 'retry', ...ANN }]);
  });

  it.each([
    { from: 'FAILED', act: retryMessage },
    { from: 'SENT', act: replayMessage },
    { from: 'PENDING', act: giveUpMessage },
  ])(
    'RTY-02: when a person moves a message from $from, then the record has the row as it was and as it is',
    async ({ from, act }) => {
      const { messageId } = await world.accept(await world.producer());
      await changeRows(
        world.db.knex,
        `UPDATE producer_message SET status = ?, next_retry_time = ?, retry_count = 3, lost_count = 1, error_msg = '404'`,
        [from, from === 'PENDING' ? '2026-01-01' : null],
      );
      const before = factsOf(await world.row(messageId));
      expect(await act(world.db, messageId, ANN, WEEK_MS)).toBe('done');
      const after = factsOf(await world.row(messageId));
      const [record] = await selectRows<{ before: string; after: string }>(
        world.db.knex,
        'SELECT before_row AS `before`, after_row AS `after` FROM message_action',
      );
      expect(JSON.parse(record?.before ?? '')).toMatchObject(before);
      expect(JSON.parse(record?.after ?? '')).toMatchObject(after);
    },
  );

  it('RTY-02: when two people retry at once, then one of them is told that the state has moved', async () => {
    const messageId = await aFailedMessage();
    const results = await Promise.all([
      retryMessage(world.db, messageId, ANN, WEEK_MS),
      retryMessage(world.db, messageId, ANN, WEEK_MS),
    ]);
    expect(results.sort()).toEqual(['done', 'state-moved']);
    expect(await actions()).toHaveLength(1);
  });

  it('when a SENT message is replayed, then it is published again under the same message id [SENT→PENDING replayed by a person]', async () => {
    await world.relay();
    const { messageId } = await world.accept(await world.producer());
    await world.until(messageId, ({ status }) => status === 'SENT');
    expect(await replayMessage(world.db, messageId, ANN, WEEK_MS)).toBe('done');
    await world.channel.whenSent(2);
    expect(world.channel.sendings.map(({ message }) => message.messageId)).toEqual([messageId, messageId]);
  });

  it('when an archived message is replayed, then it moves back and is published again', async () => {
    await world.relay();
    const { messageId } = await world.accept(await world.producer());
    await world.until(messageId, ({ status }) => status === 'SENT');
    await changeRows(
      world.db.knex,
      'INSERT INTO producer_message_archive SELECT m.*, NOW(3) FROM producer_message AS m',
    );
    await changeRows(world.db.knex, 'DELETE FROM producer_message');
    expect(await replayMessage(world.db, messageId, ANN, WEEK_MS)).toBe('done');
    await world.until(messageId, ({ status }) => status === 'SENT');
    expect(await selectRows(world.db.knex, 'SELECT id FROM producer_message_archive')).toEqual([]);
  });

  it('when two people replay one archived message at once, then one of them is told that the state has moved', async () => {
    const { messageId } = await world.accept(await world.producer());
    await changeRows(world.db.knex, `UPDATE producer_message SET status = 'SENT', next_retry_time = NULL`);
    await changeRows(
      world.db.knex,
      'INSERT INTO producer_message_archive SELECT m.*, NOW(3) FROM producer_message AS m',
    );
    await changeRows(world.db.knex, 'DELETE FROM producer_message');
    const replay = () => replayMessage(world.db, messageId, ANN, WEEK_MS);
    expect((await Promise.all([replay(), replay()])).sort()).toEqual(['done', 'state-moved']);
  });

  it('when a message is older than the inboxes remember, then it can be neither retried nor replayed', async () => {
    const messageId = await aFailedMessage();
    await changeRows(world.db.knex, 'UPDATE producer_message SET create_time = NOW(3) - INTERVAL 8 DAY');
    expect(await retryMessage(world.db, messageId, ANN, WEEK_MS)).toBe('too-old');
    expect(await world.row(messageId)).toMatchObject({ status: 'FAILED' });
    expect(await actions()).toEqual([]);
  });

  it('when a waiting message is given up, then it is FAILED and says by whom [PENDING→FAILED given up by a person]', async () => {
    const { messageId } = await world.accept(await world.producer());
    expect(await giveUpMessage(world.db, messageId, ANN)).toBe('done');
    expect(await world.row(messageId)).toMatchObject({ status: 'FAILED', errorMsg: 'given up by a person' });
    expect(await actions()).toMatchObject([{ action: 'give-up', who: 'ann' }]);
  });

  it('when there is no such message, then nothing is recorded', async () => {
    expect(await retryMessage(world.db, 'nobody', ANN, WEEK_MS)).toBe('not-found');
    expect(await actions()).toEqual([]);
  });
});
