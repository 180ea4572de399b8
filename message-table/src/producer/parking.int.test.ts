import type { Outgoing } from '../channels/channel.js';
import { CONFIRMED, unknown } from '../channels/outcome.js';
import { changeRows } from '../database/rows.js';
import { runInTransaction } from '../database/transaction.js';
import { eventually } from '../testkit/eventually.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { aCommand, TableWorld } from '../testkit/table-world.js';
import { pause, resume } from './store/pauses.js';

const AUDIT = { config: { exchange: 'inventory.exchange', routingKey: 'audit' } };
const AUDIT_DESTINATION = { scope: 'destination', target: 'rabbitmq inventory.exchange audit' } as const;

const ANN = { who: 'ann', why: 'audit is being moved' };

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

/** Attempts of these messages end after a while, without an answer. */
function answerLate(isSilent: (message: Outgoing) => boolean): void {
  world.channel.automatic = (message) => {
    if (!isSilent(message)) return CONFIRMED;
    const sending = world.channel.sendings.at(-1);
    void world.turns(10).then(() => sending?.answer(unknown('no answer')));
    return null;
  };
}

describe('what must not be sent now waits, uses no attempt and hides nobody', () => {
  it('when a destination is paused, then its messages wait, the others are sent, and the end of the pause brings them forward [PENDING→PENDING parked] [PENDING→PENDING pulled forward]', async () => {
    const table = await world.producer();
    await pause(world.db, AUDIT_DESTINATION, ANN);
    await world.relay();
    const parked = await runInTransaction(world.db, (trx) =>
      table.acceptor.acceptAll(
        trx,
        Array.from({ length: 300 }, () => aCommand(AUDIT)),
      ),
    );
    const free = await world.accept(table);
    await world.until(free.messageId, ({ status }) => status === 'SENT');
    const first = parked[0]?.messageId ?? '';
    const row = await world.until(first, ({ version, dueInMs }) => version > 0 && (dueInMs ?? 0) > 5_000);
    expect(row).toMatchObject({ status: 'PENDING', retryCount: 0, lostCount: 0 });
    await resume(world.db, AUDIT_DESTINATION, ANN);
    for (const { messageId } of parked) await world.until(messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings).toHaveLength(301);
  });

  it('when a destination is paused, then the fast path leaves its messages to the table', async () => {
    await pause(world.db, AUDIT_DESTINATION, ANN);
    const table = await world.producer({ fastPathPlaces: 10 });
    // The pause is looked at once a second; what was accepted before goes out, what comes after does not.
    let row;
    do row = await world.row((await world.accept(table, AUDIT)).messageId);
    while (row.status !== 'PENDING');
  });

  it('when one of two channels is down, then its messages are parked and come forward when it is up again [PENDING→PENDING parked] [PENDING→PENDING pulled forward]', async () => {
    const other = new ScriptedChannel('other');
    other.up = false;
    const channels = [world.channel, other];
    const table = await world.producer({ channels });
    await world.relay({ channels });
    const waits = await world.accept(table, { channel: 'other' as 'rabbitmq' });
    await world.until(waits.messageId, ({ version, status }) => status === 'PENDING' && version === 1);
    const goes = await world.accept(table);
    await world.until(goes.messageId, ({ status }) => status === 'SENT');
    other.up = true;
    await world.until(waits.messageId, ({ status }) => status === 'SENT');
    expect(await world.row(waits.messageId)).toMatchObject({ retryCount: 0 });
  });

  it('when a relay has no channel for a message, then it leaves it to others, and no attempt is used', async () => {
    const other = new ScriptedChannel('other');
    const table = await world.producer({ channels: [world.channel, other] });
    await world.relay();
    const waits = await world.accept(table, { channel: 'other' as 'rabbitmq' });
    await world.until(waits.messageId, ({ version, status }) => status === 'PENDING' && version === 1);
    await world.relay({ channels: [world.channel, other] });
    await eventually(async () => {
      await world.makeDue();
      return (await world.row(waits.messageId)).status === 'SENT';
    });
    expect(await world.row(waits.messageId)).toMatchObject({ retryCount: 0 });
  });

  it('when one destination never answers, then the others are not held up by its time-outs', async () => {
    world.channel.automatic = ({ routingKey }) => (routingKey === 'audit' ? null : { kind: 'confirmed' });
    const table = await world.producer();
    await runInTransaction(world.db, (trx) =>
      table.acceptor.acceptAll(
        trx,
        Array.from({ length: 50 }, () => aCommand(AUDIT)),
      ),
    );
    await world.relay({ batch: 60, breaker: { openAfter: 5, firstPauseMs: 60_000 } });
    await world.channel.whenSent(50);
    const sent = Array.from({ length: 200 }, () => aCommand());
    const accepted = await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, sent));
    for (const { messageId } of accepted) await world.until(messageId, ({ status }) => status === 'SENT');
    for (const sending of world.channel.sendings) sending.answer(unknown('no answer'));
    const silent = await world.rows(`WHERE routing_key = 'audit'`);
    for (const { messageId } of silent) await world.until(messageId, ({ status }) => status === 'PENDING');
    await world.makeDue(`routing_key = 'audit'`);
    await world.until(silent[0]?.messageId ?? '', ({ dueInMs }) => (dueInMs ?? 0) > 30_000);
    expect(world.channel.sendings.filter(({ message }) => message.routingKey === 'audit')).toHaveLength(50);
  });

  it('when thousands of messages for a paused destination are due, then a slow group soon finds what is due behind them', async () => {
    const table = await world.producer();
    await pause(world.db, AUDIT_DESTINATION, ANN);
    const paused = Array.from({ length: 2_000 }, () => aCommand(AUDIT));
    await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, paused));
    const free = await world.accept(table);
    const db = world.fresh.another();
    let claims = 0;
    db.events.on('claimed', () => (claims += 1));
    await world.relay({ db, rate: 20, pollMs: 500 });
    await world.until(free.messageId, ({ status }) => status === 'SENT');
    // Two rows at a time would be a thousand claims.
    expect(claims).toBeLessThan(200);
    expect(world.channel.sendings).toHaveLength(1);
  }, 15_000);

  it('when a destination that never answers has many suspects, then the others wait for an attempt or two, not for all', async () => {
    const table = await world.producer();
    const commands = Array.from({ length: 20 }, () => aCommand(AUDIT));
    await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, commands));
    await changeRows(world.db.knex, 'UPDATE producer_message SET lost_count = 1', []);
    answerLate(({ routingKey }) => routingKey === 'audit');
    await world.relay({ breaker: { openAfter: 2, firstPauseMs: 60_000 } });
    await world.channel.whenSent(1);
    const free = await world.accept(table);
    await world.until(free.messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings.map(({ alone }) => alone)).toEqual([true, true, false]);
    for (const { messageId } of await world.rows()) await world.until(messageId, ({ version }) => version > 0);
    expect(world.channel.sendings).toHaveLength(3);
  });

  it('when many suspects get no answer, each at another destination, then the others are sent in between', async () => {
    const table = await world.producer();
    const silent = (index: number) => ({ exchange: 'silent', routingKey: `to ${String(index)}` });
    const commands = Array.from({ length: 20 }, (_, index) => aCommand({ config: silent(index) }));
    await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, commands));
    await changeRows(world.db.knex, 'UPDATE producer_message SET lost_count = 1', []);
    answerLate(({ exchange }) => exchange === 'silent');
    await world.relay();
    await world.channel.whenSent(1);
    const free = await world.accept(table);
    await world.until(free.messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings.length).toBeLessThan(15);
  });

  it('when every channel is down, then nothing is claimed at all', async () => {
    world.channel.up = false;
    const table = await world.producer();
    const { messageId } = await world.accept(table);
    const relayDb = world.fresh.another();
    const claims: number[] = [];
    relayDb.events.on('claimed', ({ count }) => claims.push(count));
    await world.relay({ db: relayDb });
    await world.turns(10);
    expect(claims).toEqual([]);
    expect(await world.row(messageId)).toMatchObject({ status: 'PENDING', version: 0 });
  });
});
