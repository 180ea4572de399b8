import { keepPartitions } from '../maintenance/partitions.js';
import { createMessageTable } from '../message-table.js';
import { createEvents } from '../observe/events.js';
import { createRelay } from '../relay.js';
import { startInOrder, stopInReverse } from '../service/lifecycle.js';
import { eventually } from '../testkit/eventually.js';
import { freshDatabase, type FreshDatabase } from '../testkit/fresh-database.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { aCommand, untilIdIsLeased } from '../testkit/table-world.js';
import { openDatabase, type Database } from './database.js';
import { MESSAGE_TABLE_MIGRATIONS, migrate } from './migrate.js';
import { oldestTransactionMs } from './oldest-transaction.js';
import { selectRows } from './rows.js';
import { runInTransaction } from './transaction.js';

const RIGHTS = `
-- #region rights
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX ON orders.* TO 'order-service'@'%';
-- #endregion
`;

let server: FreshDatabase;
let db: Database;
let name: string;

beforeAll(async () => {
  server = await freshDatabase();
  name = `r_${new URL(server.url).pathname.slice(1)}`;
  const ask = (sql: string) => server.db.knex.raw(sql);
  await ask(`CREATE DATABASE ${name}`);
  await ask(`CREATE USER '${name}'@'%' IDENTIFIED BY 'narrow'`);
  await ask(
    RIGHTS.replace(/^--.*$/gm, '')
      .replace('orders.*', `${name}.*`)
      .replace('order-service', name),
  );
  const url = Object.assign(new URL(server.url), { username: name, password: 'narrow', pathname: `/${name}` }).href;
  await migrate(url, [MESSAGE_TABLE_MIGRATIONS]);
  db = openDatabase({ url, events: createEvents() });
});
afterAll(async () => {
  await db.close();
  await server.db.knex.raw(`DROP USER '${name}'@'%'`);
  await server.db.knex.raw(`DROP DATABASE ${name}`);
  await server[Symbol.asyncDispose]();
});

describe('an account with the rights that the guide names, and no others', () => {
  it('when it sends, then the message is accepted, sent and archived, and days are made and dropped', async () => {
    const channel = new ScriptedChannel();
    const table = createMessageTable({ db, channels: [channel], processName: 'producer-1', fastPathPlaces: 0 });
    const archive = { retentionMs: 1, archiveDays: 1 };
    const services = [...table.services, ...createRelay({ db, channels: [channel], processName: 'relay-1', archive })];
    await startInOrder(services);
    await untilIdIsLeased(table);
    await runInTransaction(db, (trx) => table.acceptor.accept(trx, aCommand()));
    await eventually(async () => (await selectRows(db.knex, 'SELECT id FROM producer_message_archive')).length === 1);
    await stopInReverse(services);
    expect(await keepPartitions(db, 'consumer_message_archive', 1, '2026-01-01')).not.toBeNull();
    expect((await keepPartitions(db, 'consumer_message_archive', 1, '2026-02-01'))?.drop).not.toEqual([]);
  });

  it('when it may not look at transactions, then their age is unknown and nothing fails', async () => {
    expect(await oldestTransactionMs(db.knex)).toBeNull();
  });
});
