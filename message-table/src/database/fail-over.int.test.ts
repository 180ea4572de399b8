import type { Database } from './database.js';
import { changeRows, selectRows, type Runner } from './rows.js';
import { runInTransaction } from './transaction.js';
import { freshDatabase, type FreshDatabase } from '../testkit/fresh-database.js';

let fresh: FreshDatabase;
let db: Database;
beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.another({ poolMax: 1 });
});
afterEach(() => fresh[Symbol.asyncDispose]());

const threadOf = async (runner: Runner): Promise<string> => {
  const [row] = await selectRows<{ id: number | string }>(runner, 'SELECT CONNECTION_ID() AS id');
  return String(row?.id);
};

/** As a server that has become a replica answers. */
const refuse = (runner: Runner, errno: number): Promise<unknown> =>
  changeRows(runner, `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${String(errno)}, MESSAGE_TEXT = 'read-only'`);

const realNow = performance.now.bind(performance);
const later = (ms: number): void => {
  jest.spyOn(performance, 'now').mockImplementation(() => realNow() + ms);
};
afterEach(() => jest.restoreAllMocks());

describe('after a fail-over', () => {
  it.each([1290, 1836, 3032])(
    'when the server of a connection takes no writes any more (%d), then the next statement goes over a new one',
    async (errno) => {
      const before = await threadOf(db.knex);
      later(5_000);
      await expect(refuse(db.knex, errno)).rejects.toMatchObject({ errno });
      expect(await threadOf(db.knex)).not.toBe(before);
    },
  );

  it('when it happens inside a transaction, then that is rolled back first', async () => {
    const before = await threadOf(db.knex);
    later(5_000);
    const inside: string[] = [];
    const failing = runInTransaction(db, async (trx) => {
      await refuse(trx, 1290).catch(() => undefined);
      inside.push(await threadOf(trx));
      await refuse(trx, 1290);
    });
    await expect(failing).rejects.toMatchObject({ errno: 1290 });
    expect(inside).toEqual([before]);
    expect(await threadOf(db.knex)).not.toBe(before);
  });

  it('when the connection is new, then it is kept for a moment: every server may be read-only', async () => {
    const before = await threadOf(db.knex);
    await expect(refuse(db.knex, 1290)).rejects.toMatchObject({ errno: 1290 });
    expect(await threadOf(db.knex)).toBe(before);
  });

  it('when a statement is refused for any other reason, then its connection stays', async () => {
    const before = await threadOf(db.knex);
    later(5_000);
    for (const errno of [1064, 1205, 1792]) await refuse(db.knex, errno).catch(() => undefined);
    expect(await threadOf(db.knex)).toBe(before);
  });
});
