import {
  createMessageTable,
  runInTransaction,
  startInOrder,
  stopInReverse,
  type MessageTable,
} from '@counterfoil/message-table';
import { eventually, freshDatabase, type FreshDatabase } from '@counterfoil/message-table/testkit';
import { createConnection } from 'mysql2/promise';

import { Purchases } from './decorated.js';
import { addWith } from './foreign.js';
import { owe, sendAgain, stopSending } from './mend.js';
import { parcelCommand, partners } from './over-http.js';

let fresh: FreshDatabase;
let table: MessageTable;

beforeAll(async () => {
  fresh = await freshDatabase();
  const { db } = fresh;
  table = createMessageTable({ db, channels: [partners('t0p')], processName: 'shop-1', fastPathPlaces: 0 });
  await db.knex.raw('CREATE TABLE purchase (id BIGINT PRIMARY KEY, item VARCHAR(99))');
  await startInOrder(table.services);
  await eventually(hasWorkerId);
});
afterAll(async () => {
  await stopInReverse(table.services);
  await fresh[Symbol.asyncDispose]();
});

function hasWorkerId(): boolean {
  try {
    return table.newId() !== '';
  } catch {
    return false;
  }
}

const itemsIn = async (name: string): Promise<unknown[]> => fresh.db.knex(name);

describe('the ways in that the README shows', () => {
  it('when the decorated method and the connection of the caller are used, then rows and messages are there', async () => {
    await new Purchases(table).add('2', 'teapot', parcelCommand('teapot'));
    const connection = await createConnection(fresh.url);
    await addWith(connection, table, parcelCommand('kettle'));
    // The row is there already: neither a second row nor a second message.
    await expect(addWith(connection, table, parcelCommand('kettle'))).rejects.toThrow('Duplicate');
    await connection.end();
    expect(await itemsIn('purchase')).toMatchObject([{ item: 'kettle' }, { item: 'teapot' }]);
    const messages = await itemsIn('producer_message');
    expect(messages).toMatchObject([
      { content: '{"item":"teapot"}', status: 'PENDING', channel: 'http' },
      { content: '{"item":"kettle"}', status: 'PENDING', channel: 'http' },
    ]);
    expect(JSON.stringify(messages)).not.toContain('t0p');
  });
});

describe('what a person does about a message, as the guide shows it', () => {
  const ANN = { who: 'ann', why: 'the partner has mended it' };
  const statusOf = async (messageId: string): Promise<unknown> =>
    fresh.db.knex('producer_message').where({ message_id: messageId }).first('status', 'retry_count', 'error_msg');

  it('when a message is given up and sent again, then each is done once and recorded', async () => {
    const command = { ...parcelCommand('kettle'), messageId: 'kettle-1' };
    await runInTransaction(fresh.db, (trx) => table.acceptor.accept(trx, command));
    expect(await stopSending(fresh.db, 'kettle-1', ANN)).toBe('done');
    expect(await statusOf('kettle-1')).toMatchObject({ status: 'FAILED', error_msg: 'given up by a person' });
    expect(await sendAgain(fresh.db, 'kettle-1', ANN)).toBe('done');
    expect(await statusOf('kettle-1')).toMatchObject({ status: 'PENDING', retry_count: 0 });
    expect(await sendAgain(fresh.db, 'kettle-1', ANN)).toBe('state-moved');
    expect(await sendAgain(fresh.db, 'kettle-2', ANN)).toBe('not-found');
    expect(await owe(fresh.db, 'kettle-1', 'shop.pack', ANN)).toBe('not-found');
    expect(await itemsIn('message_action')).toMatchObject([{ action: 'give-up', who: 'ann' }, { action: 'retry' }]);
  });
});
