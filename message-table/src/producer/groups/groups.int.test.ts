import { changeRows, selectRows } from '../../database/rows.js';
import { runInTransaction } from '../../database/transaction.js';
import type { MessageTable } from '../../message-table.js';
import { aCommand, TableWorld } from '../../testkit/table-world.js';
import { houseOf } from '../producer-message.js';
import type { TaskGroup } from './task-group.js';

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const accept = async (table: MessageTable, count: number): Promise<string[]> => {
  const commands = Array.from({ length: count }, () => aCommand());
  const accepted = await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, commands));
  return accepted.map(({ messageId }) => messageId);
};

const allSent = async (messageIds: readonly string[]): Promise<void> => {
  for (const messageId of messageIds) await world.until(messageId, ({ status }) => status === 'SENT');
};

/** A relay of its own, and how many messages each of its groups has claimed. */
async function relayOf(groups: readonly TaskGroup[], options: { rate?: number } = {}) {
  const db = world.fresh.another();
  const claimed = new Map(groups.map(({ groupId }) => [groupId, 0]));
  db.events.on('claimed', ({ group, count }) => claimed.set(group, (claimed.get(group) ?? 0) + count));
  const served = new Promise<readonly number[]>((resolve) => {
    db.events.once('groupsServed', ({ unservedHouses }) => resolve(unservedHouses));
  });
  const loops = await world.relay({ db, groups, ...options });
  return { db, claimed, loops, unserved: await served };
}

/** Attempts take a while, and it is written down which of them were under way at once. */
function answerLater() {
  const seen = { besideALoneOne: 0, together: 0 };
  const open: boolean[] = [];
  world.channel.automatic = (_, alone) => {
    const sending = world.channel.sendings.at(-1);
    open.push(alone);
    if (open.length > 1 && open.includes(true)) seen.besideALoneOne += 1;
    seen.together = Math.max(seen.together, open.length);
    void world.turns(1).then(() => {
      open.splice(open.indexOf(alone), 1);
      sending?.answer({ kind: 'confirmed' });
    });
    return null;
  };
  return seen;
}

describe('house numbers', () => {
  it('when a message is accepted, then this process and the database agree on its house', async () => {
    await accept(await world.producer(), 200);
    const rows = await selectRows<{ messageId: string; house: number }>(
      world.db.knex,
      'SELECT message_id AS messageId, house_number AS house FROM producer_message',
    );
    expect(rows.map(({ messageId }) => houseOf(messageId))).toEqual(rows.map(({ house }) => house));
  });
});

describe('task groups', () => {
  it('when groups share the houses out, then each sends its own and all is sent once', async () => {
    const ids = await accept(await world.producer(), 500);
    const low = { groupId: 'low', houseNumbers: [0, 1, 2, 3] };
    const { claimed, unserved } = await relayOf([low, { groupId: 'high', houseNumbers: [4, 5, 6, 7, 8, 9] }]);
    await allSent(ids);
    const isLow = (messageId: string): boolean => low.houseNumbers.includes(houseOf(messageId));
    expect(claimed.get('low')).toBe(ids.filter(isLow).length);
    expect(claimed.get('high')).toBe(ids.filter((id) => !isLow(id)).length);
    expect(world.channel.sendings).toHaveLength(500);
    expect(unserved).toEqual([]);
  });

  it('when groups of one relay and of another overlap, then nothing is published twice and each group has a share', async () => {
    const ids = await accept(await world.producer(), 2_000);
    const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const groups = [
      { groupId: 'all', houseNumbers: all, limit: 50 },
      { groupId: 'even', houseNumbers: [0, 2, 4, 6, 8], limit: 50 },
      { groupId: 'again', houseNumbers: all, limit: 50 },
    ];
    const relays = await Promise.all([relayOf(groups, { rate: 1_000 }), relayOf(groups, { rate: 1_000 })]);
    await allSent(ids);
    expect(world.channel.sendings).toHaveLength(2_000);
    expect(new Set(world.channel.sendings.map(({ message }) => message.messageId)).size).toBe(2_000);
    const shares = relays.flatMap(({ claimed }) => [...claimed.values()]);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(2_000);
    expect(Math.min(...shares)).toBeGreaterThan(50);
  });

  it('when no group has a house, then its messages wait, the relay says which houses, and another relay can send them', async () => {
    const ids = await accept(await world.producer(), 100);
    const { unserved } = await relayOf([{ groupId: 'some', houseNumbers: [0, 1, 2] }]);
    expect(unserved).toEqual([3, 4, 5, 6, 7, 8, 9]);
    await allSent(ids.filter((id) => houseOf(id) <= 2));
    await world.turns(5);
    const waiting = await world.rows(`WHERE status = 'PENDING'`);
    expect(waiting.map(({ messageId }) => messageId).sort()).toEqual(ids.filter((id) => houseOf(id) > 2).sort());
    await relayOf([{ groupId: 'others', houseNumbers: unserved }]);
    await allSent(ids);
  });

  it('when a group has a limit, then one firing takes no more, although more is due, and the next one goes on', async () => {
    const ids = await accept(await world.producer(), 250);
    const day = { groupId: 'day', houseNumbers: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], fixedDelayMs: 86_400_000, limit: 100 };
    const { db } = await relayOf([day]);
    await new Promise((resolve) => db.events.once('nextFiring', resolve));
    expect(world.channel.sendings).toHaveLength(100);
    expect(await world.rows(`WHERE status = 'SENT'`)).toHaveLength(100);
    await world.turns(5);
    expect(world.channel.sendings).toHaveLength(100);
    await relayOf([{ ...day, groupId: 'often', fixedDelayMs: 100 }]);
    await allSent(ids);
    expect(world.channel.sendings).toHaveLength(250);
  });

  it('when a cron group waits for its time, then nothing is claimed, and it counts as turning', async () => {
    const ids = await accept(await world.producer(), 20);
    const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const { claimed, loops } = await relayOf([
      { groupId: 'yearly', houseNumbers: all, cron: '0 0 0 1 1 ?' },
      { groupId: 'each-second', houseNumbers: all, cron: '* * * * * ?', limit: 5 },
    ]);
    await allSent(ids);
    expect(claimed).toEqual(
      new Map([
        ['yearly', 0],
        ['each-second', 20],
      ]),
    );
    expect(loops.filter((loop) => !loop.isTurning())).toEqual([]);
  });

  it('when a suspect of one group goes alone, then no other group of the process sends anything meanwhile', async () => {
    const ids = await accept(await world.producer(), 300);
    await changeRows(world.db.knex, `UPDATE producer_message SET lost_count = 1 WHERE house_number = 0`);
    const seen = answerLater();
    await relayOf([
      { groupId: 'suspects', houseNumbers: [0] },
      { groupId: 'others', houseNumbers: [1, 2, 3, 4, 5, 6, 7, 8, 9], limit: 10 },
    ]);
    await allSent(ids);
    expect(seen.besideALoneOne).toBe(0);
    expect(seen.together).toBeGreaterThan(1);
    expect(world.channel.sendings.filter(({ alone }) => alone)).toHaveLength(
      ids.filter((id) => houseOf(id) === 0).length,
    );
  });

  it('when one relay is stopped in the middle of a batch, then what is unsent goes back at once and all its groups stop', async () => {
    const ids = await accept(await world.producer(), 100);
    const db = world.fresh.another();
    const loops: { stop(): Promise<void> }[] = [];
    let stopped: Promise<unknown> | undefined;
    db.events.on('claimed', ({ count }) => {
      if (count > 0 && loops.length > 0) stopped ??= Promise.all(loops.map((loop) => loop.stop()));
    });
    loops.push(
      ...(await world.relay({
        db,
        groups: [
          { groupId: 'a', houseNumbers: [0, 1, 2, 3, 4] },
          { groupId: 'b', houseNumbers: [5, 6, 7, 8, 9] },
        ],
      })),
    );
    while (stopped === undefined) await world.turns(1);
    await stopped;
    const rows = await world.rows();
    expect(rows.filter(({ status }) => status === 'SENDING')).toEqual([]);
    expect(rows.filter(({ status }) => status === 'SENT')).toHaveLength(world.channel.sendings.length);
    expect(rows.filter(({ status, version }) => status === 'PENDING' && version === 2).length).toBeGreaterThan(0);
    for (const { dueInMs } of rows.filter(({ status }) => status === 'PENDING')) expect(dueInMs).toBeLessThanOrEqual(0);
    await relayOf([{ groupId: 'c', houseNumbers: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }]);
    await allSent(ids);
    expect(world.channel.sendings).toHaveLength(100);
  });
});
