import knex from 'knex';
import { createConnection } from 'mysql2/promise';

import { fromConnection, type AnyTransaction } from '../database/foreign-transaction.js';
import { changeRows, selectRows } from '../database/rows.js';
import { runInTransaction } from '../database/transaction.js';
import type { MessageTable } from '../message-table.js';
import { freshDatabase, type FreshDatabase } from '../testkit/fresh-database.js';
import { aCommand, TableWorld } from '../testkit/table-world.js';

const ELSEWHERE = { code: 'TRANSACTION_ELSEWHERE' };

let world: TableWorld;
let table: MessageTable;
beforeEach(async () => {
  world = await TableWorld.open();
  table = await world.producer({ fastPathPlaces: 10 });
});
afterEach(() => world[Symbol.asyncDispose]());

const nothingIn = async ({ db }: FreshDatabase): Promise<void> => {
  expect(await selectRows(db.knex, 'SELECT id FROM producer_message')).toEqual([]);
};

/** Through a knex and a connection of somebody else. */
async function throughForeigners(url: string, accept: (trx: AnyTransaction) => unknown) {
  const theirs = knex({ client: 'mysql2', connection: url });
  await theirs.transaction(async (trx) => accept(trx)).finally(() => theirs.destroy());
  const connection = await createConnection(url);
  await connection.beginTransaction();
  try {
    await accept(fromConnection(connection));
    await connection.commit();
  } finally {
    await connection.end();
  }
}

describe("a transaction of another database than the message table's", () => {
  it.each(['ORDER_DB_URL', 'INVENTORY_DB_URL'])(
    'when it is of ours, on the server of %s, then the message is refused and nothing is written',
    async (variable) => {
      await using other = await freshDatabase([], variable);
      for (let i = 0; i < 2; i += 1) {
        const accepting = runInTransaction(other.db, (trx) => table.acceptor.accept(trx, aCommand()));
        await expect(accepting).rejects.toMatchObject(ELSEWHERE);
      }
      await nothingIn(other);
      await nothingIn(world.fresh);
    },
  );

  it('when it is of somebody else, then the message is refused, and their transaction may go on', async () => {
    await using other = await freshDatabase([], 'INVENTORY_DB_URL');
    await other.db.knex.raw('CREATE TABLE business (id INT AUTO_INCREMENT PRIMARY KEY)');
    await throughForeigners(other.url, async (trx) => {
      await expect(table.acceptor.accept(trx, aCommand())).rejects.toMatchObject(ELSEWHERE);
      await changeRows(trx, 'INSERT INTO business VALUES ()');
    });
    expect(await selectRows(other.db.knex, 'SELECT id FROM business')).toHaveLength(2);
    await nothingIn(other);
    await nothingIn(world.fresh);
  });

  it('when it has no message tables at all, then the message is refused as well', async () => {
    await using other = await freshDatabase([], 'INVENTORY_DB_URL');
    await other.db.knex.raw('DROP TABLE schema_migration');
    const accepting = runInTransaction(other.db, (trx) => table.acceptor.accept(trx, aCommand()));
    await expect(accepting).rejects.toMatchObject(ELSEWHERE);
  });
});

describe('a transaction of the same database', () => {
  it('when it comes by another pool, another knex or a connection, then the message is taken and sent', async () => {
    const ids: string[] = [];
    const accept = async (trx: AnyTransaction): Promise<void> => {
      ids.push((await table.acceptor.accept(trx, aCommand())).messageId);
    };
    await runInTransaction(world.fresh.another(), accept);
    await throughForeigners(world.fresh.url, accept);
    await world.relay();
    for (const messageId of ids) await world.until(messageId, ({ status }) => status === 'SENT');
    expect(ids).toHaveLength(3);
  });

  it('when its connection is used again, then it is not looked at again; our own are never', async () => {
    const theirs = knex({ client: 'mysql2', connection: world.fresh.url, pool: { min: 1, max: 1 } });
    const looks: string[] = [];
    for (const pool of [theirs, world.db.knex])
      pool.on('query', ({ sql }: { sql: string }) => sql.includes('FROM schema_migration') && looks.push(sql));
    for (let i = 0; i < 3; i += 1) await theirs.transaction((trx) => table.acceptor.accept(trx, aCommand()));
    expect(looks).toHaveLength(2); // theirs, and what it is compared with
    for (let i = 0; i < 3; i += 1) await world.accept(table);
    expect(looks).toHaveLength(2);
    await theirs.destroy();
  });

  it('when it is REPEATABLE READ, then the look takes no snapshot: what others commit afterwards is seen', async () => {
    await world.db.knex.raw('CREATE TABLE business (id INT PRIMARY KEY)');
    const connection = await createConnection(world.fresh.url);
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.beginTransaction();
    await table.acceptor.accept(fromConnection(connection), aCommand());
    await world.db.knex.raw('INSERT INTO business VALUES (1)');
    const [rows] = await connection.query('SELECT id FROM business');
    expect(rows).toHaveLength(1);
    await connection.commit();
    await connection.end();
  });
});
