import type { ConnectionOptions } from 'mysql2';

import { connectionOptions } from './connection.js';
import type { Database } from './database.js';
import { duplicateKey } from './error-kinds.js';
import { killThread } from './kill-thread.js';
import { changeRows, selectRows } from './rows.js';
import { runInTransaction } from './transaction.js';
import { eventually } from '../testkit/eventually.js';
import { freshDatabase, type FreshDatabase } from '../testkit/fresh-database.js';
import { StatementProxy } from '../testkit/statement-proxy.js';

let fresh: FreshDatabase;
let proxy: StatementProxy;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  await fresh.db.knex.raw('CREATE TABLE thing (id INT PRIMARY KEY, text VARCHAR(200)) ENGINE = InnoDB');
});
afterAll(() => fresh[Symbol.asyncDispose]());

beforeEach(async () => {
  proxy = await StatementProxy.before(fresh.url);
  db = fresh.another({ url: proxy.url, deadlineMs: 400, acquireTimeoutMs: 1_500, poolMax: 2 });
});
afterEach(() => proxy[Symbol.asyncDispose]());

const threads = async (id: string | number): Promise<number> => {
  const rows = await selectRows(fresh.db.knex, 'SELECT id FROM information_schema.processlist WHERE id = ?', [id]);
  return rows.length;
};

const threadOf = async (runner: Database['knex']): Promise<string> => {
  const [row] = await selectRows<{ id: string }>(runner, 'SELECT CONNECTION_ID() AS id');
  return String(row?.id);
};

describe('a statement without an answer', () => {
  it('DB-01: when a statement waits for a lock for too long, then its caller is told so, and its thread is killed on the server', async () => {
    await changeRows(fresh.db.knex, 'INSERT INTO thing VALUES (100, NULL)');
    const holder = await fresh.db.knex.transaction();
    await holder.raw('SELECT id FROM thing WHERE id = 100 FOR UPDATE');
    const patient = fresh.another({ deadlineMs: 400, lockWaitS: 300 });
    let thread = '';
    const waiting = runInTransaction(patient, async (trx) => {
      thread = await threadOf(trx);
      await trx.raw('SELECT id FROM thing WHERE id = 100 FOR UPDATE');
    });
    await expect(waiting).rejects.toMatchObject({ code: 'DB_DEADLINE' });
    await eventually(async () => (await threads(thread)) === 0);
    await holder.rollback();
    await patient.ping();
  });

  it('when the server is younger than the thread, then the number is somebody else’s by now, and nobody kills it', async () => {
    const other = fresh.another({ poolMax: 1 });
    const innocent = await threadOf(other.knex);
    const { client } = fresh.db.knex as unknown as { client: { driver: Parameters<typeof killThread>[0] } };
    const closed = new Promise((resolve) => {
      const driver = {
        createConnection: (options: ConnectionOptions) => client.driver.createConnection(options).on('end', resolve),
      };
      killThread(driver, connectionOptions(fresh.url, 1_000), {
        id: Number(innocent),
        ageMs: 1e12,
      });
    });
    await closed;
    expect(await threadOf(other.knex)).toBe(innocent);
  });

  it('DB-11: when every connection hangs, then waiting callers are refused soon, and the pool works again afterwards', async () => {
    await Promise.all([db.ping(), db.ping()]);
    proxy.strike('SELECT 1', 'swallow', 2);
    const startedMs = performance.now();
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => db.ping()));
    expect(performance.now() - startedMs).toBeLessThan(2_500);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    await db.ping();
  });

  it('when a new connection falls silent behind its handshake, then the next ones are not held up by it', async () => {
    proxy.strike('SESSION TRANSACTION', 'swallow');
    proxy.strike('version()', 'swallow');
    await expect(db.ping()).rejects.toThrow();
    proxy.heal();
    await db.ping();
  });

  it('when BEGIN gets no answer, then the error says so and the work is not begun', async () => {
    await db.ping();
    proxy.strike('BEGIN', 'swallow');
    const work = jest.fn(() => Promise.resolve());
    await expect(runInTransaction(db, work)).rejects.toMatchObject({ code: 'DB_DEADLINE' });
    expect(work).not.toHaveBeenCalled();
    await db.ping();
  });

  it('when the line breaks at BEGIN, then the error is that of the connection', async () => {
    await db.ping();
    proxy.strike('BEGIN', 'cut-before');
    await expect(runInTransaction(db, () => Promise.resolve())).rejects.toMatchObject({
      code: 'PROTOCOL_CONNECTION_LOST',
    });
  });
});

describe('COMMIT without an answer', () => {
  const store = (id: number) =>
    runInTransaction(db, (trx) => changeRows(trx, 'INSERT INTO thing VALUES (?, ?)', [id, 'x']));
  const isThere = async (id: number): Promise<boolean> =>
    (await selectRows(fresh.db.knex, 'SELECT id FROM thing WHERE id = ?', [id])).length === 1;

  it.each([
    ['cut-before', false],
    ['cut-answer', true],
    ['swallow', false],
    ['swallow-answer', true],
  ] as const)(
    'DB-01: when COMMIT meets %s, then the outcome is unknown, never a success or a failure',
    async (fate, arrived) => {
      const id = { 'cut-before': 1, 'cut-answer': 2, swallow: 3, 'swallow-answer': 4 }[fate];
      proxy.strike('COMMIT;', fate);
      const unknown = new Promise((resolve) => db.events.once('commitUnknown', resolve));
      await expect(store(id)).rejects.toMatchObject({ code: 'COMMIT_UNKNOWN' });
      await unknown;
      // Written again, it waits for the first one's end on the server and finds out what became of it.
      const again = await store(id).then(() => 'stored', duplicateKey);
      expect(again).toBe(arrived ? 'PRIMARY' : 'stored');
      expect(await isThere(id)).toBe(true);
    },
  );
});

describe('what an error says', () => {
  it('when a statement fails, then the error has what the server said, and neither the statement nor its values', async () => {
    const failing = db.knex.raw('INSERT INTO thing VALUES (?, ?), (9, ?)', [9, 'a secret', 'another']);
    const error = await failing.then(
      () => null,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.message).toMatch(/^Duplicate entry '9' for key/);
    expect(JSON.stringify([error?.message, Object.entries(error ?? {})])).not.toMatch(/secret|INSERT/);
  });
});
