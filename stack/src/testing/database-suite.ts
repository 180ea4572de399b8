import { createConnection } from 'mysql2/promise';
import { startStack, type Stack, type StackOptions } from '../index.js';

/** What a database server of any backend does. */
export function databaseSuite(options: StackOptions): void {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ ...options, broker: false, dbArgs: ['--max-connections=77'] });
  }, 120_000);
  afterAll(() => stack.stop(), 60_000);

  endings(() => stack);
  halts(() => stack);
  startOptions(() => stack, options);
}

function endings(stackOf: () => Stack): void {
  it('when it is killed with SIGKILL and started, then the rows are there, at the same URL', async () => {
    const stack = stackOf();
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
    const stack = stackOf();
    await stack.orderDb.kill();
    expect(await stack.inventoryDb.isReady()).toBe(true);
    await stack.orderDb.start();
  });

  it('when it is asked to stop, then it ends by itself, in order', async () => {
    const { orderDb } = stackOf();
    await orderDb.stop();
    expect(await orderDb.exited).toEqual({ code: 0, signal: null, expected: true });
    await orderDb.start();
  });
}

function halts(stackOf: () => Stack): void {
  it('when it is paused, then it is running and not ready until it is resumed', async () => {
    const { inventoryDb } = stackOf();
    await inventoryDb.pause();
    expect(await inventoryDb.isReady()).toBe(false);
    expect(inventoryDb.isRunning()).toBe(true);
    await inventoryDb.resume();
    await inventoryDb.waitUntilReady();
  });

  it('when it is paused and killed, then it is gone, and starts again', async () => {
    const { inventoryDb } = stackOf();
    await inventoryDb.pause();
    await inventoryDb.kill();
    await inventoryDb.start();
  });
}

function startOptions(stackOf: () => Stack, options: StackOptions): void {
  it('when it is asked for its settings, then they are the durable ones, and dbArgs win', async () => {
    const wanted = '@@innodb_flush_log_at_trx_commit AS flush, @@max_connections AS connections';
    expect(await query(stackOf().orderDb.url, `SELECT ${wanted}`)).toEqual([{ flush: 1, connections: 77 }]);
  });

  it('when it cannot start, then the error carries the end of its log, and nothing of the stack is left', async () => {
    const starting = startStack({ ...options, broker: false, databases: ['order'], dbArgs: ['--no-such-option'] });
    await expect(starting).rejects.toMatchObject({
      code: 'exited-early',
      message: expect.stringContaining('no-such-option') as string,
    });
    // An image may wait for its server for a minute before it gives up.
  }, 180_000);

  it('when a server was left out, then asking for it says so', () => {
    expect(() => stackOf().broker).toThrow('without a broker');
    expect(() => stackOf().database('order-2')).toThrow('without the order-2 database');
  });
}

export async function query(url: string, sql: string): Promise<unknown> {
  const connection = await createConnection(url);
  try {
    return (await connection.query(sql))[0];
  } finally {
    await connection.end();
  }
}
