import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createConnection } from 'mysql2/promise';
import { pino } from 'pino';

import { toError } from '../errors.js';
import { freshDatabase, type FreshDatabase } from '../testkit/fresh-database.js';
import { migrationService } from '../service/run-main.js';
import { StatementProxy } from '../testkit/statement-proxy.js';
import { MESSAGE_TABLE_MIGRATIONS, migrate } from './migrate.js';
import { checksumOf, splitStatements } from './migration-files.js';
import { changeRows, selectRows } from './rows.js';

const FILE = '0001-message-tables.sql';

let fresh: FreshDatabase;
let statements: string[];

beforeAll(async () => {
  statements = splitStatements(await readFile(join(MESSAGE_TABLE_MIGRATIONS, FILE), 'utf8'));
});
beforeEach(async () => {
  fresh = await freshDatabase();
});
afterEach(() => fresh[Symbol.asyncDispose]());

/** The same database, with nothing in it. */
async function emptied(): Promise<FreshDatabase> {
  const name = new URL(fresh.url).pathname.slice(1);
  await fresh.db.knex.raw(`DROP DATABASE ${name}`);
  await fresh.db.knex.raw(`CREATE DATABASE ${name}`);
  await fresh.db.knex.raw(`USE ${name}`);
  return fresh;
}

/** What stands in the columns that both servers name alike; what they write differently is made alike. */
async function schema(): Promise<string[]> {
  const columns = await selectRows<Record<string, string | number | null>>(
    fresh.another().knex,
    `SELECT TABLE_NAME AS tableName, COLUMN_NAME AS columnName, DATA_TYPE AS type, COLUMN_TYPE LIKE '%unsigned%' AS isUnsigned,
            CHARACTER_MAXIMUM_LENGTH AS length, DATETIME_PRECISION AS digits, CHARACTER_SET_NAME AS charset,
            IF(CHARACTER_SET_NAME = 'ascii', COLLATION_NAME, NULL) AS collation, IS_NULLABLE AS nullable,
            NULLIF(TRIM(BOTH '''' FROM COLUMN_DEFAULT), 'NULL') AS standard, EXTRA AS extra
       FROM information_schema.columns WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME <> 'schema_migration'
      ORDER BY TABLE_NAME, ORDINAL_POSITION`,
  );
  const keys = await selectRows<Record<string, string | number>>(
    fresh.another().knex,
    `SELECT TABLE_NAME AS tableName, INDEX_NAME AS keyName, NON_UNIQUE AS repeats, GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX) AS columnNames
       FROM information_schema.statistics WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME <> 'schema_migration'
      GROUP BY TABLE_NAME, INDEX_NAME, NON_UNIQUE ORDER BY TABLE_NAME, INDEX_NAME`,
  );
  const checks = await selectRows<Record<string, string>>(
    fresh.another().knex,
    `SELECT TABLE_NAME AS tableName, CONSTRAINT_NAME AS checkName FROM information_schema.table_constraints
      WHERE TABLE_SCHEMA = DATABASE() AND CONSTRAINT_TYPE = 'CHECK' ORDER BY TABLE_NAME, CONSTRAINT_NAME`,
  );
  return [...columns, ...keys, ...checks].map((row) =>
    Object.values(row)
      .map((value) => value ?? '-')
      .join(' '),
  );
}

const recorded = async (): Promise<Record<string, number>> => {
  const rows = await selectRows<{ name: string; done: number }>(
    fresh.another().knex,
    'SELECT name, statements_done AS done FROM schema_migration',
  );
  return Object.fromEntries(rows.map(({ name, done }) => [name, done]));
};

it('DB-21: when the migrations have run, then the schema is the same on every server, and no column changes by itself', async () => {
  const lines = await schema();
  expect(lines).toMatchSnapshot();
  expect(lines.join('\n')).not.toMatch(/on update|timestamp/i);
});

it('when five replicas start at once on an empty database, then all go on and each statement was recorded once', async () => {
  const { url } = await emptied();
  await Promise.all(Array.from({ length: 5 }, () => migrate(url, [MESSAGE_TABLE_MIGRATIONS])));
  expect(await recorded()).toEqual({ [FILE]: statements.length });
});

it('when a process dies between any statement and its record, then the next one finishes, with the same schema', async () => {
  const expected = await schema();
  const { url } = await emptied();
  await using proxy = await StatementProxy.before(url);
  // Cut before the record, a statement is done twice; cut behind it, the next start goes on.
  for (let crashes = 0; crashes < 2 * statements.length; crashes += 1) {
    proxy.strike('INSERT INTO schema_migration', crashes % 2 === 0 ? 'cut-before' : 'cut-answer');
    await expect(migrate(proxy.url, [MESSAGE_TABLE_MIGRATIONS])).rejects.toMatchObject({
      code: 'PROTOCOL_CONNECTION_LOST',
    });
  }
  await migrate(proxy.url, [MESSAGE_TABLE_MIGRATIONS]);
  expect(await schema()).toEqual(expected);
});

it('when every statement runs a second time, then nothing changes', async () => {
  const expected = await schema();
  for (const sql of statements) await fresh.db.knex.raw(sql.replaceAll('?', '\\?'));
  await migrate(fresh.url, [MESSAGE_TABLE_MIGRATIONS]);
  expect(await schema()).toEqual(expected);
  expect(await selectRows(fresh.db.knex, 'SELECT 1 FROM worker_lease')).toHaveLength(1024);
});

it('when a statement is wrong, then the ones before it are kept and the next start goes on behind them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writeFile(join(folder, '0200-new.sql'), 'CREATE TABLE once (id INT);\nSELECT nonsense FROM nowhere;\n');
  await expect(migrate(fresh.url, [folder])).rejects.toMatchObject({ errno: 1146 });
  expect(await recorded()).toMatchObject({ '0200-new.sql': 1 });
  await writeFile(join(folder, '0200-new.sql'), 'CREATE TABLE once (id INT);\nCREATE TABLE twice (id INT);\n');
  await migrate(fresh.url, [folder]);
  expect(await recorded()).toMatchObject({ '0200-new.sql': 2 });
  await rm(folder, { recursive: true });
});

describe('a migration with a statement that is wrong', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const put = (text: string): Promise<void> => writeFile(join(folder, '0200-new.sql'), text);
  const service = (log = pino({ level: 'silent' })) => migrationService(fresh.url, [folder], log);

  it.each([
    ['CREATE TABEL two (id INT)', '1064|syntax'],
    ['CREATE TABLE one (id INT)', 'already exists'],
    ["INSERT INTO one VALUES ('no number')", 'integer value'],
  ])('when it reads %s, then the process does not start, and file and statement are named', async (wrong, reason) => {
    await put(`CREATE TABLE one (id INT);\n${wrong};\n`);
    const error = await service()
      .start()
      .then(() => null, toError);
    expect(error).toMatchObject({ code: 'MIGRATION_FAILED' });
    expect(error?.message).toContain(`${join(folder, '0200-new.sql')}, statement 2 of 2: `);
    expect(error?.message).toMatch(new RegExp(reason));
    expect(error?.message).toContain(`It reads: ${wrong}`);
    expect(await recorded()).toMatchObject({ '0200-new.sql': 1 });
  });

  it('when it names a table that another process has yet to make, then the process waits for it', async () => {
    await put('ALTER TABLE elsewhere ADD COLUMN n INT;');
    let told!: (line: string) => void;
    const waits = new Promise<string>((resolve) => (told = resolve));
    const starting = service(pino({}, { write: told })).start();
    expect(await waits).toContain('migrations wait');
    await changeRows(fresh.db.knex, 'CREATE TABLE elsewhere (id INT)');
    await starting;
    expect(await recorded()).toMatchObject({ '0200-new.sql': 1 });
  });
});

describe('a migration that was applied is not changed', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const ONE = 'CREATE TABLE IF NOT EXISTS one (id INT);';
  const put = (text: string, name = '0200-new.sql'): Promise<void> => writeFile(join(folder, name), text);
  const apply = (): Promise<void> => migrate(fresh.url, [MESSAGE_TABLE_MIGRATIONS, folder]);
  const checksums = async (): Promise<Record<string, string | null>> => {
    const rows = await selectRows<{ name: string; checksum: string | null }>(
      fresh.another().knex,
      'SELECT name, checksum FROM schema_migration',
    );
    return Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
  };
  /** As a version before checksums left it. */
  const forgetChecksums = (): Promise<unknown> =>
    fresh.db.knex.raw('ALTER TABLE schema_migration DROP COLUMN checksum').then(() => undefined);

  it('when its text has changed, then the file is named, nothing of it runs, and the process is not to start', async () => {
    await put(ONE);
    await apply();
    await put('CREATE TABLE IF NOT EXISTS one (id BIGINT);\nCREATE TABLE two (id INT);');
    const refused = { code: 'MIGRATION_CHANGED', message: expect.stringContaining(join(folder, '0200-new.sql')) };
    await expect(apply()).rejects.toMatchObject(refused);
    expect(await schema()).not.toContainEqual(expect.stringMatching(/^two /));
    const service = migrationService(fresh.url, [folder], pino({ level: 'silent' }));
    await expect(service.start()).rejects.toMatchObject(refused);
  });

  it('when only a comment has changed, or statements came behind, then it goes on', async () => {
    await put(ONE);
    await apply();
    await put(`-- why\n${ONE}\nCREATE TABLE IF NOT EXISTS two (id INT);`);
    await apply();
    expect(await recorded()).toMatchObject({ '0200-new.sql': 2 });
  });

  it('when a version without checksums applied it, then it is taken as it is, and watched from now on', async () => {
    await put(ONE);
    await apply();
    await forgetChecksums();
    await Promise.all(Array.from({ length: 3 }, apply));
    expect(await checksums()).toEqual({
      [FILE]: checksumOf(statements, statements.length),
      '0200-new.sql': checksumOf(splitStatements(ONE), 1),
    });
    await put('CREATE TABLE IF NOT EXISTS one (id BIGINT);');
    await expect(apply()).rejects.toMatchObject({ code: 'MIGRATION_CHANGED' });
  });

  it('when a version without checksums goes on with it, then the next one does as well', async () => {
    await put(`${ONE}\nSELECT nonsense FROM nowhere;`);
    await expect(apply()).rejects.toMatchObject({ errno: 1146 });
    await put(`${ONE}\nCREATE TABLE IF NOT EXISTS two (id INT);`);
    await changeRows(fresh.db.knex, `UPDATE schema_migration SET statements_done = 2 WHERE name = '0200-new.sql'`);
    await apply();
    expect(await checksums()).toMatchObject({ '0200-new.sql': checksumOf(splitStatements(ONE), 1) });
  });

  it('when two folders have a file of one name, then both are named and no table is made', async () => {
    await put(ONE, FILE);
    await expect(apply()).rejects.toMatchObject({ code: 'MIGRATION_NAME_TAKEN' });
    expect(await schema()).not.toContainEqual(expect.stringMatching(/^one /));
  });
});

it('when another process holds the migration for too long, then this one says so', async () => {
  const holder = await createConnection(fresh.url);
  await holder.query('SELECT GET_LOCK(?, 0)', [`counterfoil-migrate:${new URL(fresh.url).pathname.slice(1)}`]);
  await expect(migrate(fresh.url, [MESSAGE_TABLE_MIGRATIONS], { lockWaitS: 1 })).rejects.toMatchObject({
    code: 'MIGRATION_BUSY',
  });
  await holder.end();
});

it('when the server falls silent, then the caller learns it within the deadline and may try again', async () => {
  await using proxy = await StatementProxy.before(fresh.url);
  proxy.strike('schema_migration WHERE', 'swallow');
  await expect(migrate(proxy.url, [MESSAGE_TABLE_MIGRATIONS], { deadlineMs: 300 })).rejects.toMatchObject({
    code: 'DB_DEADLINE',
  });
  await migrate(proxy.url, [MESSAGE_TABLE_MIGRATIONS]);
});

it('DB-21: when a row’s state changes, then its time of creation stays', async () => {
  const insert = `INSERT INTO producer_message (id, message_id, task_name, channel, exchange, routing_key, content, status, house_number, next_retry_time, create_time, update_time)
    VALUES (1, 'a', 't', 'c', '', '', '{}', 'PENDING', 1, NOW(3), '2024-01-01', '2024-01-01')`;
  await changeRows(fresh.db.knex, insert);
  await changeRows(fresh.db.knex, `UPDATE producer_message SET status = 'SENT', next_retry_time = NULL`);
  const [row] = await selectRows<{ create_time: Date; update_time: Date }>(
    fresh.db.knex,
    'SELECT create_time, update_time FROM producer_message',
  );
  expect(row?.create_time.toISOString()).toBe('2024-01-01T00:00:00.000Z');
  expect(row?.update_time.toISOString()).toBe('2024-01-01T00:00:00.000Z');
});
