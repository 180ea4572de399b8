import { leavesDoubt, OpenTransaction } from './open-transaction.js';

const race = Object.assign(new Error('Deadlock found'), { errno: 1213 });
const mistake = Object.assign(new Error('Duplicate entry'), { errno: 1062 });

const begun = (): OpenTransaction => {
  const transaction = new OpenTransaction();
  transaction.note('BEGIN;', null);
  return transaction;
};

describe('DB-02: a transaction that lost a race', () => {
  it('when another statement follows, then it is refused with the same error', () => {
    const transaction = begun();
    transaction.note('UPDATE t SET a = 1', race);
    expect(transaction.ask('INSERT INTO t VALUES (1)')).toEqual({ do: 'refuse', because: race });
    expect(transaction.ask('ROLLBACK TO SAVEPOINT trx7')).toEqual({ do: 'refuse', because: race });
  });

  it('when COMMIT follows, then it is rolled back instead', () => {
    const transaction = begun();
    transaction.note('UPDATE t SET a = 1', race);
    expect(transaction.ask('COMMIT;')).toEqual({ do: 'roll-back', because: race });
  });

  it('when it was rolled back, then the connection is as good as new', () => {
    const transaction = begun();
    transaction.note('UPDATE t SET a = 1', race);
    expect(transaction.ask('ROLLBACK')).toEqual({ do: 'send' });
    transaction.note('ROLLBACK', null);
    expect(transaction.ask('BEGIN;')).toEqual({ do: 'send' });
  });

  it('when a statement outside a transaction loses a race, then the next one is not held to it', () => {
    const transaction = new OpenTransaction();
    transaction.note('UPDATE t SET a = 1', race);
    expect(transaction.ask('UPDATE t SET a = 1')).toEqual({ do: 'send' });
  });

  it('when a statement fails for a reason of its own, then its transaction may go on', () => {
    const transaction = begun();
    transaction.note('INSERT INTO t VALUES (1)', mistake);
    expect(transaction.ask('COMMIT;')).toEqual({ do: 'send' });
  });
});

describe('a connection is let go', () => {
  it.each(['BEGIN;', 'COMMIT;', 'ROLLBACK'])('when %s was refused, then nobody knows what is open on it', (sql) => {
    expect(leavesDoubt(sql, mistake)).toBe(true);
  });

  it('when another statement was refused, then it can be used again', () => {
    expect(leavesDoubt('SELECT 1', mistake)).toBe(false);
  });
});
