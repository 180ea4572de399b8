import { selectRows } from '../database/rows.js';
import { runInTransaction } from '../database/transaction.js';
import type { Loop } from '../service/loop.js';
import { createTokenBucket } from '../service/token-bucket.js';
import { aCommand, idIn, TableWorld } from '../testkit/table-world.js';
import { Destinations } from './destinations.js';
import { paceOf } from './groups/pace.js';
import { houseOf } from './producer-message.js';
import { createSendTask } from './send-task.js';
import { Sender } from './sender.js';
import { createSettler } from './settler.js';
import { listPauses, pause, resume } from './store/pauses.js';
import { LoneTurns } from './lone-turns.js';

const ANN = { who: 'ann', why: 'the warehouse moves' };
const ALL = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

async function accept(count: number): Promise<string[]> {
  const table = await world.producer();
  const commands = Array.from({ length: count }, () => aCommand());
  const accepted = await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, commands));
  return accepted.map(({ messageId }) => messageId);
}

const allSent = async (messageIds: readonly string[]): Promise<void> => {
  for (const messageId of messageIds) await world.until(messageId, ({ status }) => status === 'SENT');
};

describe('a pause is data: every process that sends keeps to it', () => {
  it('when a group is paused, then no relay claims anything for it, from its first pass on, and others go on; resumed, it sends', async () => {
    const ids = await accept(100);
    // #region pause
    await pause(world.db, { scope: 'group', target: 'slow' }, { who: 'ann', why: 'the warehouse moves' });
    // #endregion
    const groups = [
      { groupId: 'slow', houseNumbers: [0, 1, 2, 3, 4] },
      { groupId: 'quick', houseNumbers: [5, 6, 7, 8, 9] },
    ];
    const db = world.fresh.another();
    const claims = new Set<string>();
    db.events.on('claimed', ({ group }) => claims.add(group));
    await world.relay({ db, groups });
    await world.relay({ groups });
    await allSent(ids.filter((id) => houseOf(id) >= 5));
    await world.turns(10);
    expect(claims.has('slow')).toBe(false);
    const waiting = await world.rows(`WHERE status <> 'SENT'`);
    expect(waiting).toHaveLength(ids.filter((id) => houseOf(id) < 5).length);
    for (const row of waiting) expect(row).toMatchObject({ status: 'PENDING', version: 0 });
    // #region resume
    await resume(world.db, { scope: 'group', target: 'slow' }, { who: 'ann', why: 'the warehouse is there' });
    // #endregion
    await allSent(ids);
    expect(world.channel.sendings).toHaveLength(100);
  });

  it('when a house is paused, then its messages are neither claimed nor put on the fast path, and the end of the pause lets them go', async () => {
    const house = 3;
    await pause(world.db, { scope: 'house', target: String(house) }, ANN);
    const table = await world.producer({ fastPathPlaces: 10 });
    const waits = await world.accept(table, { messageId: idIn(house) });
    expect(await world.row(waits.messageId)).toMatchObject({ status: 'PENDING', version: 0 });
    const goes = await world.accept(table, { messageId: 'another' });
    expect(houseOf('another')).not.toBe(house);
    await world.until(goes.messageId, ({ status }) => status === 'SENT');
    await world.relay();
    await world.turns(10);
    expect(await world.row(waits.messageId)).toMatchObject({ status: 'PENDING', version: 0 });
    await resume(world.db, { scope: 'house', target: String(house) }, ANN);
    await allSent([waits.messageId]);
  });

  it('when a channel is paused and resumed, then what was put off for it comes forward at once', async () => {
    await pause(world.db, { scope: 'channel', target: 'rabbitmq' }, ANN);
    const [first = ''] = await accept(50);
    await world.relay();
    await world.until(first, ({ dueInMs }) => (dueInMs ?? 0) > 5_000);
    await resume(world.db, { scope: 'channel', target: 'rabbitmq' }, ANN);
    const resumedMs = performance.now();
    await world.until(first, ({ status }) => status === 'SENT');
    expect(performance.now() - resumedMs).toBeLessThan(5_000);
  });

  it('when a group is paused, then what is in flight ends, and nothing more is claimed', async () => {
    const [sent = ''] = await accept(1);
    world.channel.automatic = null;
    const db = world.fresh.another();
    await world.relay({ db, groups: [{ groupId: 'slow', houseNumbers: ALL }] });
    await world.channel.whenSent(1);
    const seen = new Promise((resolve) => db.events.once('pausesChanged', resolve));
    await pause(world.db, { scope: 'group', target: 'slow' }, ANN);
    await seen;
    const later = await accept(20);
    world.channel.sendings[0]?.answer({ kind: 'confirmed' });
    await allSent([sent]);
    await world.turns(10);
    for (const id of later) expect(await world.row(id)).toMatchObject({ status: 'PENDING', version: 0 });
  });

  it('when the pauses have not been read yet, then nothing is claimed', async () => {
    const [id = ''] = await accept(1);
    const destinations = new Destinations();
    const task = sendTask(world, destinations);
    await task.start();
    await world.turns(10);
    expect(await world.row(id)).toMatchObject({ status: 'PENDING', version: 0 });
    destinations.setPauses([]);
    await allSent([id]);
    await task.stop();
  });

  it.each([
    { scope: 'group', target: 'slow' },
    { scope: 'house', target: '3' },
  ] as const)('when a $scope is paused between claim and sending, then what is unsent goes back', async (stopSign) => {
    const id = idIn(3);
    await world.accept(await world.producer(), { messageId: id });
    const destinations = new Destinations();
    destinations.setPauses([]);
    world.db.events.on('claimed', () => destinations.setPauses([stopSign]));
    const task = sendTask(world, destinations);
    await task.start();
    const row = await world.until(id, ({ version }) => version === 2);
    await task.stop();
    expect(row).toMatchObject({ status: 'PENDING', retryCount: 0, lostCount: 0 });
    expect(row.dueInMs).toBeLessThanOrEqual(0);
    expect(world.channel.sendings).toEqual([]);
  });

  it('when one house is paused between claim and sending, then only what is of that house goes back', async () => {
    const table = await world.producer();
    for (const house of [2, 3, 4]) await world.accept(table, { messageId: idIn(house) });
    const destinations = new Destinations();
    destinations.setPauses([]);
    world.db.events.on('claimed', () => destinations.setPauses([{ scope: 'house', target: '3' }]));
    const task = sendTask(world, destinations);
    await task.start();
    await allSent([idIn(2), idIn(4)]);
    expect(await world.until(idIn(3), ({ version }) => version === 2)).toMatchObject({
      status: 'PENDING',
      lostCount: 0,
    });
    await task.stop();
    expect(world.channel.sendings).toHaveLength(2);
  });
});

/** One group's task with an eye of the test's own on the pauses. */
function sendTask({ db, channel }: TableWorld, destinations: Destinations): Loop {
  const channels = new Map([[channel.name, channel]]);
  const policy = { retryBaseMs: 2_000, retryMaxMs: 7_200_000, unknownPauseMs: 2_000 };
  const settler = createSettler(db, policy, 'relay');
  const sender = new Sender({ channels, settler, events: db.events, destinations, attemptTimeoutMs: 2_000 });
  const group = { groupId: 'slow', houseNumbers: ALL };
  return createSendTask({
    ...{ db, sender, settler, channels, destinations, group },
    ...{ claimedBy: 'relay-1', loopName: 'send-task', turns: new LoneTurns(), bucket: createTokenBucket(0) },
    ...{ batch: 100, pollMs: 20, leaseMs: 30_000, attemptTimeoutMs: 2_000, byteBudget: 8_388_608 },
    pace: paceOf(group, { limit: 100, pollMs: 20, onNext: () => undefined }),
  });
}

describe('who paused what is known', () => {
  const DESTINATION = { scope: 'destination', target: 'rabbitmq inventory.exchange audit' } as const;

  it('when something is paused and resumed, then it is listed in between and both deeds are recorded', async () => {
    expect(await pause(world.db, DESTINATION, ANN)).toBe('done');
    expect(await listPauses(world.db.knex)).toEqual([{ ...DESTINATION, ...ANN, forMs: expect.any(Number) }]);
    expect(await resume(world.db, DESTINATION, { who: 'bob', why: 'done' })).toBe('done');
    expect(await listPauses(world.db.knex)).toEqual([]);
    const recorded = await selectRows(
      world.db.knex,
      'SELECT side, message_id AS messageId, action, who, why, before_row AS `before`, after_row AS `after` FROM message_action ORDER BY id',
    );
    const text = JSON.stringify(DESTINATION);
    expect(recorded).toEqual([
      { side: 'pause', messageId: '', action: 'pause', ...ANN, before: 'null', after: text },
      { side: 'pause', messageId: '', action: 'resume', who: 'bob', why: 'done', before: text, after: 'null' },
    ]);
  });

  it('when two people pause or resume the same, then one is told that the state has moved, and one deed is recorded', async () => {
    const pausing = await Promise.all([pause(world.db, DESTINATION, ANN), pause(world.db, DESTINATION, ANN)]);
    expect(pausing.sort()).toEqual(['done', 'state-moved']);
    const resuming = await Promise.all([resume(world.db, DESTINATION, ANN), resume(world.db, DESTINATION, ANN)]);
    expect(resuming.sort()).toEqual(['done', 'state-moved']);
    expect(await selectRows(world.db.knex, 'SELECT id FROM message_action')).toHaveLength(2);
  });

  it.each([
    { scope: 'house', target: '10' },
    { scope: 'house', target: 'three' },
    { scope: 'group', target: '' },
    { scope: 'group', target: 'größe' },
    // To the table it is equal to the name without the blank, which then would look paused and be sent.
    { scope: 'destination', target: 'rabbitmq inventory.exchange inventory.deduct ' },
    { scope: 'destination', target: ' rabbitmq inventory.exchange inventory.deduct' },
  ] as const)('when there is no $scope "$target", then it can be neither paused nor resumed', async (nothing) => {
    await expect(pause(world.db, nothing, ANN)).rejects.toMatchObject({ code: 'PAUSE_INVALID' });
    expect(await resume(world.db, nothing, ANN)).toBe('state-moved');
    expect(await listPauses(world.db.knex)).toEqual([]);
  });
});
