import { createConnection } from 'mysql2/promise';
import { startStack, type Stack } from '../index.js';

describe('a database server keeps what was committed', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ broker: false, dbArgs: ['--max-connections=77'] });
  });
  afterAll(() => stack.stop());

  it('when it is killed with SIGKILL and started, then the rows are there, at the same URL', async () => {
    await query(stack.orderDb.url, 'CREATE TABLE kept (id INT PRIMARY KEY)');
    await query(stack.orderDb.url, 'INSERT INTO kept VALUES (1)');
    const urlBefore = stack.orderDb.url;
    await expect(stack.orderDb.kill()).resolves.toEqual({ code: null, signal: 'SIGKILL', expected: true });
    expect(await stack.orderDb.isReady()).toBe(false);

    await stack.orderDb.start();

    expect(stack.orderDb.url).toBe(urlBefore);
    expect(await query(urlBefore, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  it('when it is killed, then the other database goes on', async () => {
    await stack.orderDb.kill();
    expect(await stack.inventoryDb.isReady()).toBe(true);
    await stack.orderDb.start();
  });

  it('when it is paused, then it is running and not ready until it is resumed', async () => {
    stack.inventoryDb.pause();
    expect(await stack.inventoryDb.isReady()).toBe(false);
    expect(stack.inventoryDb.isRunning()).toBe(true);
    stack.inventoryDb.resume();
    await stack.inventoryDb.waitUntilReady();
  });

  it('when it is asked for its settings, then they are the durable ones, and dbArgs win', async () => {
    const wanted =
      '@@innodb_flush_log_at_trx_commit AS flush, @@max_connections AS connections, @@bind_address AS address';
    expect(await query(stack.orderDb.url, `SELECT ${wanted}`)).toEqual([
      { flush: 1, connections: 77, address: '127.0.0.1' },
    ]);
  });

  it('when it cannot start, then the error carries the end of its log, and nothing of the stack is left', async () => {
    const starting = startStack({ broker: false, databases: ['order'], dbArgs: ['--no-such-option'] });
    await expect(starting).rejects.toMatchObject({
      code: 'exited-early',
      message: expect.stringContaining('no-such-option'),
    });
  });

  it('when a server was left out, then asking for it says so', () => {
    expect(() => stack.broker).toThrow('without a broker');
  });
});

async function query(url: string, sql: string): Promise<unknown> {
  const connection = await createConnection(url);
  try {
    return (await connection.query(sql))[0];
  } finally {
    await connection.end();
  }
}
