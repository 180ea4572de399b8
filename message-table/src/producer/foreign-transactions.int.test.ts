import knex from 'knex';
import { createConnection, createPool, type Connection } from 'mysql2/promise';

import { fromConnection } from '../database/foreign-transaction.js';
import { runInTransaction } from '../database/transaction.js';
import { aCommand, TableWorld } from '../testkit/table-world.js';
import type { MessageTable } from '../message-table.js';
import { selectRows } from '../database/rows.js';

let world: TableWorld;
let table: MessageTable;
beforeEach(async () => {
  world = await TableWorld.open();
  table = await world.producer({ fastPathPlaces: 10 });
});
afterEach(() => world[Symbol.asyncDispose]());

/** All that another program may have set: a zone far from UTC, snapshots, a small character set, plain backslashes. */
async function foreignConnection(): Promise<Connection> {
  const connection = await createConnection({ uri: world.fresh.url, charset: 'latin1_swedish_ci' });
  await connection.query(`SET time_zone = '+09:00', sql_mode = 'NO_BACKSLASH_ESCAPES'`);
  await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  return connection;
}

async function inForeign(work: (connection: Connection) => Promise<unknown>): Promise<void> {
  const connection = await foreignConnection();
  try {
    await work(connection);
  } finally {
    await connection.end();
  }
}

const MESSAGE_ID = String.raw`it's-\'1`;
const content = String.raw`{"who":"O'Hara \\ 张三 😀","sql":"\'); DROP TABLE producer_message; -- "}`;

describe('a connection of somebody else', () => {
  it('when its session has other settings, then times are UTC, content is the same bytes, and a relay sends it', async () => {
    await inForeign(async (connection) => {
      await connection.beginTransaction();
      await connection.query('SELECT COUNT(*) FROM producer_message');
      const command = aCommand({ messageId: MESSAGE_ID, content });
      const { id } = await table.acceptor.accept(fromConnection(connection), command);
      expect(await world.rows()).toEqual([]);
      await connection.commit();
      expect(BigInt(id)).toBeGreaterThan(2n ** 53n);
      expect(await world.row(MESSAGE_ID)).toMatchObject({ id, status: 'PENDING', version: 0 });
    });
    const [row] = await selectRows<{ agedMs: string; house: number; crc: number }>(
      world.db.knex,
      `SELECT TIMESTAMPDIFF(MICROSECOND, create_time, NOW(3)) / 1000 AS agedMs, house_number AS house,
              CRC32(message_id) MOD 10 AS crc FROM producer_message`,
    );
    expect(Math.abs(Number(row?.agedMs))).toBeLessThan(20_000);
    expect(Number(row?.house)).toBe(Number(row?.crc));
    expect(world.channel.sendings).toEqual([]);
    await world.relay();
    await world.until(MESSAGE_ID, ({ status }) => status === 'SENT');
    expect(world.channel.sendings.map(({ message }) => message.content)).toEqual([content]);
  });

  it('when a delay is asked for in another zone, then the message is due after it and not hours later', async () => {
    await inForeign(async (connection) => {
      await connection.beginTransaction();
      await table.acceptor.accept(fromConnection(connection), aCommand({ messageId: 'later', delayMs: 60_000 }));
      await connection.commit();
    });
    const { dueInMs } = await world.row('later');
    expect(dueInMs).toBeGreaterThan(40_000);
    expect(dueInMs).toBeLessThanOrEqual(60_000);
  });

  it('when the same command was accepted after its snapshot, then the existing message is returned, its id to the last digit', async () => {
    const command = aCommand({ messageId: MESSAGE_ID, content, headers: { who: '张三' } });
    await inForeign(async (connection) => {
      await connection.beginTransaction();
      await connection.query('SELECT COUNT(*) FROM producer_message');
      const first = await world.accept(table, command);
      expect(await table.acceptor.accept(fromConnection(connection), command)).toEqual(first);
      const other = table.acceptor.accept(fromConnection(connection), { ...command, content: 'another' });
      await expect(other).rejects.toMatchObject({ code: 'MESSAGE_ID_TAKEN' });
      await connection.rollback();
    });
    expect(await world.rows()).toHaveLength(1);
  });

  it('when it rolls back, then there is no message', async () => {
    await inForeign(async (connection) => {
      await connection.beginTransaction();
      await table.acceptor.accept(fromConnection(connection), aCommand());
      await connection.rollback();
    });
    expect(await world.rows()).toEqual([]);
  });

  it('when it is in no transaction, then the message is refused and nothing is written', async () => {
    await inForeign(async (connection) => {
      const accepting = table.acceptor.accept(fromConnection(connection), aCommand());
      await expect(accepting).rejects.toMatchObject({ code: 'NO_TRANSACTION' });
      await connection.beginTransaction();
      await connection.commit();
      const late = table.acceptor.accept(fromConnection(connection), aCommand());
      await expect(late).rejects.toMatchObject({ code: 'NO_TRANSACTION' });
    });
    expect(await world.rows()).toEqual([]);
  });

  it('when it commits nothing by itself, then the message shares the transaction that its own insert opens', async () => {
    await inForeign(async (connection) => {
      await connection.query('SET autocommit = 0');
      await table.acceptor.accept(fromConnection(connection), aCommand());
      expect(await world.rows()).toEqual([]);
      await connection.rollback();
    });
    expect(await world.rows()).toEqual([]);
  });
});

describe('a transaction of somebody else’s knex', () => {
  it('when it commits, then the message is there and a relay sends it', async () => {
    const theirs = knex({ client: 'mysql2', connection: world.fresh.url });
    await theirs.transaction(async (trx) => {
      await trx.raw(`SET time_zone = '-08:00'`);
      await table.acceptor.acceptAll(trx, [aCommand({ messageId: 'one' }), aCommand({ messageId: 'two', content })]);
    });
    await theirs.destroy();
    expect(await world.rows()).toMatchObject([{ status: 'PENDING' }, { status: 'PENDING' }]);
    await world.relay();
    for (const messageId of ['one', 'two']) await world.until(messageId, ({ status }) => status === 'SENT');
  });

  it('when it has ended, then the message is refused', async () => {
    const trx = await world.db.knex.transaction();
    await trx.commit();
    await expect(table.acceptor.accept(trx, aCommand())).rejects.toMatchObject({ code: 'TRANSACTION_ENDED' });
  });
});

describe('a pool is no transaction', () => {
  it('when a pool is given, then it does not compile, and is refused by those who do not compile', async () => {
    // @ts-expect-error a pool of knex
    const accepting = table.acceptor.accept(world.db.knex, aCommand());
    await expect(accepting).rejects.toMatchObject({ code: 'NO_TRANSACTION' });
    const pool = createPool(world.fresh.url);
    // @ts-expect-error a pool of mysql2
    const throughPool = table.acceptor.accept(fromConnection(pool), aCommand());
    await expect(throughPool).rejects.toMatchObject({ code: 'NO_TRANSACTION' });
    await pool.end();
    expect(await world.rows()).toEqual([]);
  });
});

it('when our own transaction has ended, then a late message is refused and its place on the fast path is free again', async () => {
  // The first one of a process asks the server before it takes a place.
  await world.accept(table, { delayMs: 60_000 });
  const taken: number[] = [];
  world.db.events.on('fastPathTaken', ({ taken: count }) => taken.push(count));
  const ended = await runInTransaction(world.db, async (trx) => trx);
  await expect(table.acceptor.accept(ended, aCommand())).rejects.toMatchObject({ code: 'TRANSACTION_ENDED' });
  expect(taken).toEqual([1, 0]);
});
