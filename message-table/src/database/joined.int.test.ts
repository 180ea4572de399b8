import { currentTransaction, outsideTransactions } from './current-transaction.js';
import type { Database } from './database.js';
import { changeRows } from './rows.js';
import { add, raceError, Things } from './testing/things.js';
import { afterCommit, runInTransaction, type Transaction } from './transaction.js';

let things: Things;
let db: Database;

beforeAll(async () => {
  things = await Things.open();
});
afterAll(() => things[Symbol.asyncDispose]());
beforeEach(async () => {
  db = await things.reset();
});

const failWith = (text: string): Promise<never> => Promise.reject(new Error(text));
/** What ends an await for good: a place where the test says when work goes on. */
function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('what runs inside of a transaction joins it', () => {
  it('when a block is inside of another, then both have one transaction, whatever is awaited in between', async () => {
    await runInTransaction(db, async (outer) => {
      await add(outer, 1, 1);
      await runInTransaction(db, async (inner) => {
        expect(inner).toBe(outer);
        await Promise.all([add(inner, 2, 1), new Promise((resolve) => setImmediate(resolve))]);
        expect(currentTransaction(db)).toBe(outer);
      });
      expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
    });
    expect(await things.amounts()).toEqual({ 1: 51, 2: 51 });
  });

  it('when two run side by side, then each has a transaction of its own', async () => {
    const seen = await Promise.all([0, 1].map(() => runInTransaction(db, async () => currentTransaction(db))));
    expect(seen[0]).not.toBe(seen[1]);
  });

  it('when nothing is around, then there is no current transaction, and the pool is not given in its place', () => {
    expect(() => currentTransaction(db)).toThrow(expect.objectContaining({ code: 'NO_TRANSACTION' }) as Error);
  });

  it('when a process has two databases, then each has its own current transaction and its own end', async () => {
    const other = things.fresh.another();
    const failing = runInTransaction(db, async (trx) => {
      await add(trx, 1, 1);
      await runInTransaction(other, async (theirs) => {
        expect(currentTransaction(other)).toBe(theirs);
        expect(currentTransaction(db)).toBe(trx);
        await add(theirs, 2, 1);
      });
      expect(() => currentTransaction(other)).toThrow(expect.objectContaining({ code: 'NO_TRANSACTION' }) as Error);
      return failWith('the outer one');
    });
    await expect(failing).rejects.toThrow('the outer one');
    expect(await things.amounts()).toEqual({ 1: 50, 2: 51 });
  });
});

describe('it is kept whole or not at all', () => {
  it('when an inner block fails and nobody catches it, then all is rolled back', async () => {
    const failing = runInTransaction(db, async (trx) => {
      await add(trx, 1, 1);
      await runInTransaction(db, async (inner) => {
        await add(inner, 2, 1);
        return failWith('the inner one');
      });
    });
    await expect(failing).rejects.toThrow('the inner one');
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
  });

  it('when an inner block fails and the outer one catches it, then nothing is kept and the caller is told why', async () => {
    const ran: string[] = [];
    const careless = runInTransaction(db, async (trx) => {
      afterCommit(trx, () => ran.push('committed'));
      await add(trx, 1, 1);
      await runInTransaction(db, () => failWith('the inner one')).catch(() => undefined);
      return 'done';
    });
    await expect(careless).rejects.toMatchObject({ code: 'ROLLBACK_ONLY', cause: { message: 'the inner one' } });
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
    expect(ran).toEqual([]);
  });

  it('when an inner block loses a race, then the outermost repeats the whole, also if the error was caught on the way', async () => {
    let [outer, inner] = [0, 0];
    await runInTransaction(db, async (trx) => {
      outer += 1;
      await add(trx, 1, 1);
      await runInTransaction(db, async (joined) => {
        inner += 1;
        await add(joined, 2, 1);
        if (inner < 3) throw raceError(1213);
      }).catch(() => undefined);
    });
    expect([outer, inner]).toEqual([3, 3]);
    expect(await things.amounts()).toEqual({ 1: 51, 2: 51 });
  });

  it('when an inner block is not awaited, then nothing is kept of either', async () => {
    const { opened, open } = gate();
    let left: Promise<unknown> = Promise.resolve();
    const careless = runInTransaction(db, async () => {
      left = runInTransaction(db, async (trx) => {
        await add(trx, 1, 1);
        await opened;
        await add(trx, 2, -1);
      });
      left.catch(() => undefined);
    });
    await expect(careless).rejects.toMatchObject({ code: 'TRANSACTION_IN_USE' });
    open();
    await expect(left).rejects.toMatchObject({ code: 'TRANSACTION_ENDED' });
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
  });

  it.each(['commit', 'rollback'] as const)('when the work calls %s by hand, then that is refused', async (ending) => {
    const failing = runInTransaction(db, async (trx) => {
      await add(trx, 1, 1);
      await trx[ending]();
    });
    await expect(failing).rejects.toMatchObject({ code: 'TRANSACTION_IN_USE' });
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
  });
});

describe('what outlives its transaction is refused, never committed by itself', () => {
  const escaped: [string, (trx: Transaction) => unknown][] = [
    ['a statement', (trx) => add(trx, 2, 1)],
    ['a query builder', (trx) => trx('thing').where({ id: 2 }).update({ amount: 0 })],
    ['another block', () => runInTransaction(db, (trx) => add(trx, 2, 1))],
    ['currentTransaction', () => currentTransaction(db)],
    ['a hook', (trx) => afterCommit(trx, () => undefined)],
  ];

  it.each(escaped)('when %s comes after the end, then it is told so', async (_, act) => {
    for (const end of [() => Promise.resolve(), () => failWith('rolled back')]) {
      const { opened, open } = gate();
      let late: Promise<unknown> = Promise.resolve();
      await runInTransaction(db, (trx) => {
        late = opened.then(() => act(trx));
        late.catch(() => undefined);
        return end();
      }).catch(() => undefined);
      open();
      await expect(late).rejects.toMatchObject({ code: 'TRANSACTION_ENDED' });
    }
    expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
  });

  it('when work was sent outside on purpose, then it has a transaction of its own and outlives the other', async () => {
    const { opened, open } = gate();
    let late: Promise<unknown> = Promise.resolve();
    const failing = runInTransaction(db, () => {
      late = outsideTransactions(() => opened.then(() => runInTransaction(db, (trx) => add(trx, 2, 1))));
      return failWith('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    open();
    await late;
    expect(await things.amounts()).toEqual({ 1: 50, 2: 51 });
  });
});

describe('an ending written by hand', () => {
  it.each(['COMMIT', '  commit;', 'ROLLBACK', 'BEGIN', 'start transaction'])(
    'when %j is said, also in a savepoint, then it is refused, and the transaction stays whole',
    async (sql) => {
      const failing = runInTransaction(db, async (trx) => {
        await add(trx, 1, 1);
        await expect(trx.raw(sql)).rejects.toMatchObject({ code: 'TRANSACTION_IN_USE' });
        await trx.transaction(async (savepoint) => {
          await expect(savepoint.raw(sql)).rejects.toMatchObject({ code: 'TRANSACTION_IN_USE' });
        });
        await add(trx, 2, 1);
        return failWith('rolled back');
      });
      await expect(failing).rejects.toThrow('rolled back');
      expect(await things.amounts()).toEqual({ 1: 50, 2: 50 });
    },
  );
});

describe('hooks', () => {
  it('when joined blocks leave hooks, then all run once, in order, after COMMIT and outside of the transaction', async () => {
    const ran: string[] = [];
    const hook = (name: string) => (): void => {
      ran.push(name);
      expect(() => currentTransaction(db)).toThrow(expect.objectContaining({ code: 'NO_TRANSACTION' }) as Error);
    };
    const failed = jest.fn();
    db.events.on('loopFailed', failed);
    await runInTransaction(db, async (trx) => {
      afterCommit(trx, hook('outer, first'));
      await runInTransaction(db, async (joined) => afterCommit(joined, hook('inner')));
      expect(ran).toEqual([]);
      afterCommit(trx, hook('outer, last'));
      await changeRows(trx, 'DELETE FROM thing WHERE id = 1');
    });
    expect(ran).toEqual(['outer, first', 'inner', 'outer, last']);
    expect(failed).not.toHaveBeenCalled();
  });

  it('when the promise of a hook rejects, then that is an event, and nobody else is hurt', async () => {
    const reported = new Promise((resolve) => db.events.once('loopFailed', resolve));
    await runInTransaction(db, async (trx) => afterCommit(trx, () => failWith('a bug in a hook')));
    expect(await reported).toMatchObject({ loop: 'after-commit', error: { message: 'a bug in a hook' } });
  });
});
