import type { Database } from './database.js';
import { HomeDatabase } from './home-database.js';
import type { Transaction } from './transaction.js';

const HERE = 'orders 17:00:00.123';
const ERRORS: Readonly<Record<string, number>> = { noTable: 1146, denied: 1142, deadlock: 1213 };

/** A pool, or a transaction on a connection of its own; `says` is what its database answers to the look. */
function side(says: string, settings: object = {}) {
  const connection = {};
  const [name, migrated] = says.split(' ');
  const raw = jest.fn(() =>
    says in ERRORS
      ? Promise.reject(Object.assign(new Error(says), { errno: ERRORS[says] }))
      : Promise.resolve([[{ name, migrated }], []]),
  );
  const client = { connectionSettings: settings, acquireConnection: () => Promise.resolve(connection) };
  return { raw, client, isTransaction: true, isCompleted: () => false };
}

const home = (ours: ReturnType<typeof side>): HomeDatabase => new HomeDatabase({ knex: ours } as unknown as Database);
const as = (trx: ReturnType<typeof side>): Transaction => trx as unknown as Transaction;

describe('A message goes into the database that its relays look at', () => {
  it.each(['inventory 17:00:00.123', 'orders 17:00:00.124', 'noTable'])(
    "when a transaction's database is another one (%s), then it is refused, each time",
    async (says) => {
      const database = home(side(HERE));
      const trx = side(says);
      for (let i = 0; i < 2; i += 1)
        await expect(database.assertOpenHere(as(trx))).rejects.toMatchObject({ code: 'TRANSACTION_ELSEWHERE' });
    },
  );

  it('when it is the same database through another pool, then it is taken, and its connection is asked once', async () => {
    const ours = side(HERE);
    const database = home(ours);
    const trx = side(HERE);
    for (let i = 0; i < 3; i += 1) await database.assertOpenHere(as(trx));
    expect([trx.raw.mock.calls.length, ours.raw.mock.calls.length]).toEqual([1, 1]);
  });

  it('when it is of the same pool, then nobody is asked', async () => {
    const settings = {};
    const [ours, trx] = [side(HERE, settings), side('elsewhere', settings)];
    await home(ours).assertOpenHere(as(trx));
    expect([trx.raw.mock.calls.length, ours.raw.mock.calls.length]).toEqual([0, 0]);
  });

  it('when its account may not look, then nobody can tell, and it is taken', async () => {
    await home(side(HERE)).assertOpenHere(as(side('denied')));
  });

  it('when the look loses a race, then the caller is told: its transaction is gone', async () => {
    await expect(home(side(HERE)).assertOpenHere(as(side('deadlock')))).rejects.toMatchObject({ errno: 1213 });
  });
});
