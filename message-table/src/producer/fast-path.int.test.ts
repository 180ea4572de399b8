import { CONFIRMED, refused, type Outcome } from '../channels/outcome.js';
import { runInTransaction, type Transaction } from '../database/transaction.js';
import { Registry } from 'prom-client';

import type { MessageTable } from '../message-table.js';
import { measureEvents } from '../observe/measure-events.js';
import { eventually } from '../testkit/eventually.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { aCommand, TableWorld } from '../testkit/table-world.js';
import type { TaskCommand } from './command.js';

const PLACES = 3;

let world: TableWorld;
let slow: ScriptedChannel;
let table: MessageTable;
let registry: Registry;
beforeEach(async () => {
  world = await TableWorld.open();
  registry = new Registry();
  measureEvents(world.db.events, registry);
  slow = new ScriptedChannel('slow');
  slow.automatic = null;
  table = await world.producer({ channels: [world.channel, slow], fastPathPlaces: PLACES });
});
afterEach(async () => {
  for (const sending of slow.sendings) sending.answer(CONFIRMED);
  await world[Symbol.asyncDispose]();
});

const acceptSlow = async (): Promise<string> => {
  const { messageId } = await world.accept(table, { channel: 'slow' as 'rabbitmq' });
  return messageId;
};

const page = async (): Promise<string[]> => (await registry.metrics()).split('\n');

describe('what is undone by a savepoint is not sent', () => {
  const ways: [string, (trx: Transaction, work: () => Promise<unknown>) => Promise<void>][] = [
    [
      'a statement',
      async (trx, work) => {
        await trx.raw('SAVEPOINT here');
        await work();
        await trx.raw('ROLLBACK TO SAVEPOINT here');
      },
    ],
    [
      'knex',
      async (trx, work) => {
        const savepoint = await trx.transaction();
        await work();
        await savepoint.rollback();
      },
    ],
  ];

  it.each(ways)('when %s goes back to it, then its message is never sent, and what came before is', async (_, undo) => {
    await runInTransaction(world.db, async (trx) => {
      await table.acceptor.accept(trx, aCommand({ messageId: 'kept' }));
      await undo(trx, () => table.acceptor.accept(trx, aCommand({ messageId: 'undone' })));
      await table.acceptor.accept(trx, aCommand({ messageId: 'later' }));
    });
    await world.until('later', ({ status }) => status === 'SENT');
    await world.relay({ channels: [world.channel, slow] });
    await world.until('kept', ({ status }) => status === 'SENT');
    expect(world.channel.sendings.map(({ message }) => message.messageId)).toEqual(['later', 'kept']);
    await eventually(async () => (await page()).includes('counterfoil_fast_path_in_flight{channel="rabbitmq"} 0'));
  });
});

describe('places', () => {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
  const someCommand = (): TaskCommand =>
    aCommand({
      messageId: `m-${String(Math.floor(Math.random() * 300))}`,
      content: Math.random() < 0.02 ? '[]' : '{}',
    });

  type Turn = (trx: Transaction) => Promise<unknown>;
  const accept: Turn = (trx) => table.acceptor.acceptAll(trx, [someCommand(), someCommand(), someCommand()]);
  const ignored = (): void => undefined;
  const fail = (): Promise<never> => Promise.reject(new Error('rolled back'));
  const TURNS: readonly Turn[] = [
    accept,
    fail,
    (trx) => trx.raw('SELECT nonsense'),
    (trx) => trx.raw('KILL CONNECTION_ID()'),
    (trx) => trx.raw('SAVEPOINT s').then(() => accept(trx)),
    (trx) => trx.transaction(() => accept(trx).then(fail)).catch(ignored),
    (trx) => table.acceptor.accept(trx, aCommand({ taskName: '' })),
    () => runInTransaction(world.db, (joined) => accept(joined).then(fail)).catch(ignored),
    // Not awaited.
    async () => void runInTransaction(world.db, (joined) => world.turns(1).then(() => accept(joined))).catch(ignored),
  ];

  it('when transactions accept, repeat, fail and are cut in any way, then in the end all places are free, and what was sent is stored', async () => {
    let taken = 0;
    world.db.events.on('fastPathTaken', (told) => (taken = told.channel === 'rabbitmq' ? told.taken : taken));
    world.channel.automatic = () => pick([CONFIRMED, CONFIRMED, refused('no')]);
    const one = (): Promise<unknown> =>
      runInTransaction(world.db, async (trx) => {
        for (const turn of [accept, pick([accept, pick(TURNS)]), pick([accept, pick(TURNS)])]) await turn(trx);
      }).catch(ignored);
    for (let round = 0; round < 30; round += 1) await Promise.all(Array.from({ length: 6 }, one));
    await eventually(() => taken === 0);
    const stored = new Set((await world.rows()).map(({ messageId }) => messageId));
    const sent = world.channel.sendings.map(({ message }) => message.messageId);
    expect(sent.length).toBeGreaterThan(10);
    expect(sent.filter((messageId) => !stored.has(messageId))).toEqual([]);
  });
});

describe('a channel of somebody else', () => {
  it.each([undefined, null, {}, { kind: 'sent' }, { kind: 'refused' }])(
    'when it answers %j, then nobody knows, no attempt is used and its place is free again',
    async (answer) => {
      const { messageId } = await world.accept(table, { channel: 'slow' as 'rabbitmq' });
      await slow.whenSent(1);
      slow.sendings[0]?.answer(answer as unknown as Outcome);
      const row = await world.until(messageId, ({ status }) => status === 'PENDING');
      expect(row).toMatchObject({ retryCount: 0, errorMsg: expect.stringContaining('no outcome') as string });
      await eventually(async () => (await page()).includes('counterfoil_fast_path_in_flight{channel="slow"} 0'));
    },
  );
});

describe('each channel has places of its own on the fast path', () => {
  it('when one channel hangs with all its places taken, then another one is as fast as ever', async () => {
    for (let i = 0; i < PLACES; i += 1) await acceptSlow();
    await slow.whenSent(PLACES);
    for (let i = 0; i < 2 * PLACES; i += 1) {
      const { messageId } = await world.accept(table);
      await world.until(messageId, ({ status }) => status === 'SENT');
    }
    expect(slow.sendings).toHaveLength(PLACES);
  });

  it('when a message finds no place, then it is counted for its channel and left to a relay, which sends it', async () => {
    for (let i = 0; i < PLACES; i += 1) await acceptSlow();
    await slow.whenSent(PLACES);
    const left = await acceptSlow();
    expect(await world.row(left)).toMatchObject({ status: 'PENDING', version: 0 });
    expect(await page()).toEqual(
      expect.arrayContaining([
        'counterfoil_fast_path_rejected_total{channel="slow"} 1',
        'counterfoil_fast_path_rejected_total{channel="rabbitmq"} 0',
        `counterfoil_fast_path_in_flight{channel="slow"} ${String(PLACES)}`,
        'counterfoil_fast_path_in_flight{channel="rabbitmq"} 0',
      ]),
    );
    slow.automatic = () => CONFIRMED;
    await world.relay({ channels: [world.channel, slow] });
    await world.until(left, ({ status }) => status === 'SENT');
  });

  it('when the channel answers again, then its places are free again', async () => {
    for (let i = 0; i < PLACES; i += 1) await acceptSlow();
    await slow.whenSent(PLACES);
    slow.automatic = () => CONFIRMED;
    for (const sending of slow.sendings) sending.answer(CONFIRMED);
    for (const { message } of slow.sendings) await world.until(message.messageId, ({ status }) => status === 'SENT');
    expect(await page()).toContain('counterfoil_fast_path_in_flight{channel="slow"} 0');
    const next = await acceptSlow();
    await world.until(next, ({ status }) => status === 'SENT');
    expect(slow.sendings).toHaveLength(PLACES + 1);
  });

  it('when a channel is down, then nothing is counted as rejected, for it was not the places that lacked', async () => {
    slow.up = false;
    await acceptSlow();
    expect(await page()).toContain('counterfoil_fast_path_rejected_total{channel="slow"} 0');
  });
});
