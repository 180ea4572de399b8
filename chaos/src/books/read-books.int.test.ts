import { insertProducts } from '@counterfoil/loadtest';

import { ServiceDatabases } from '../testkit/service-databases.js';
import { installWitnesses } from '../witnesses/install.js';
import { readBooks, type BooksRead } from './read-books.js';
import { readStartStock } from './stock.js';

let databases: ServiceDatabases;

beforeEach(async () => {
  databases = await ServiceDatabases.create();
});

afterEach(() => databases[Symbol.asyncDispose]());

const read = (): Promise<BooksRead> =>
  readBooks({ ...databases.urls, run: 'run', startStock: new Map(), tap: null, http: null });

const CLAIM = `UPDATE producer_message SET status = 'SENDING', version = version + 1 WHERE message_id = ?`;
const SENT = `UPDATE producer_message SET status = 'SENT', next_retry_time = NULL, version = version + 1 WHERE message_id = ?`;
const SWEEP = `UPDATE producer_message SET status = 'PENDING', lost_count = lost_count + 1, version = version + 1 WHERE message_id = ?`;
const NOTE = `
  INSERT INTO consumer_message
    (message_id, consumer, received_by, exchange, routing_key, content, status, first_consume_time, last_consume_time)
  VALUES (?, ?, 'queue', '', '', '{}', 'SUCCESS', NOW(3), NOW(3))`;

describe('the books', () => {
  it('when orders are placed, then the ledger has them by the index of their key, and strangers without one', async () => {
    await databases.placeOrders('run', 0, 2);
    await databases.placeOrders('other', 2, 3);
    const { books, unread } = await read();
    expect(unread).toEqual([]);
    expect(books.placed).toEqual([
      { orderId: '1000', index: 0, productId: 1, quantity: 1 },
      { orderId: '1001', index: 1, productId: 1, quantity: 2 },
      { orderId: '1002', index: null, productId: 1, quantity: 3 },
    ]);
    expect(books.orders[1]).toEqual({ orderId: '1001', messageId: 'm1', idempotencyKey: 'run-1', status: 'CREATED' });
    expect(books.orderMessages[1]).toMatchObject({
      id: '1001',
      messageId: 'm1',
      orderId: '1001',
      outcome: null,
      status: 'PENDING',
      version: 0,
    });
  });

  it('when an order is rolled back, then no witness tells of it', async () => {
    await databases.orders.query('BEGIN');
    await databases.placeOrders('run', 0, 1);
    await databases.orders.query('ROLLBACK');
    const { books } = await read();
    expect([books.placed, books.orders, books.orderMessages]).toEqual([[], [], []]);
  });

  it('when a message moves, then each move is a transition with its versions and what it counted', async () => {
    await databases.placeOrders('run', 0, 1);
    for (const sql of [CLAIM, SWEEP, CLAIM, SENT]) await databases.orders.query(sql, ['m0']);
    const { transitions } = (await read()).books;
    const texts = transitions.map(
      ({ from, fromVersion, to, toVersion }) => `${from} ${String(fromVersion)} ${to} ${String(toVersion)}`,
    );
    expect(texts).toEqual(['PENDING 0 SENDING 1', 'SENDING 1 PENDING 2', 'PENDING 2 SENDING 3', 'SENDING 3 SENT 4']);
    expect(transitions.map(({ lostCountRose }) => lostCountRose)).toEqual([false, true, false, false]);
    expect(transitions[0]).toMatchObject({
      database: 'order',
      table: 'producer_message',
      id: '1000',
      retryCountRose: false,
    });
  });

  it('when a note is overwritten by an upsert, then that is a transition', async () => {
    await databases.inventory.query(NOTE, ['m0', 'inventory.deduct']);
    await databases.inventory.query(
      `${NOTE} ON DUPLICATE KEY UPDATE status = 'FAILED', retry_count = retry_count + 1`,
      ['m0', 'inventory.deduct'],
    );
    await databases.orders.query(NOTE, ['d0', 'order.deduction-decided']);
    const { books } = await read();
    expect(books.transitions).toMatchObject([
      { database: 'inventory', table: 'consumer_message', from: 'SUCCESS', to: 'FAILED', retryCountRose: true },
    ]);
    expect(books.deductionNotes).toMatchObject([{ messageId: 'm0', status: 'FAILED', version: 0 }]);
    expect(books.decisionNotes).toMatchObject([{ messageId: 'd0', status: 'SUCCESS' }]);
  });

  it('when stock is taken, then the ledger has each change in the order of the locks, and the end is the stock', async () => {
    await insertProducts(databases.urls.inventoryDb, [1, 2], 4n ** 16n);
    const start = await readStartStock(databases.urls.inventoryDb);
    await databases.inventory.query('UPDATE product SET stock = stock - 1');
    await databases.inventory.query('UPDATE product SET stock = stock - 4 WHERE id = 2');
    const { books } = await read();
    expect(start.get(2)).toBe(4n ** 16n);
    expect(books.stockChanges.filter(({ productId }) => productId === 2)).toEqual([
      { productId: 2, before: 4n ** 16n, after: 4n ** 16n - 1n },
      { productId: 2, before: 4n ** 16n - 1n, after: 4n ** 16n - 5n },
    ]);
    expect(books.endStock).toEqual(
      new Map([
        [1, 4n ** 16n - 1n],
        [2, 4n ** 16n - 5n],
      ]),
    );
  });

  it('when there are more rows than a page holds, then all are read, and witnesses may be installed again', async () => {
    await databases.placeOrders('run', 0, 10_001);
    await installWitnesses(databases.urls);
    await databases.placeOrders('run', 10_001, 10_002);
    const { books } = await read();
    expect(new Set(books.placed.map(({ index }) => index)).size).toBe(10_002);
    expect([books.orders.length, books.orderMessages.length]).toEqual([10_002, 10_002]);
  });

  it('when a message was archived, then it is in the books all the same', async () => {
    await databases.placeOrders('run', 0, 2);
    await databases.orders.query(SENT, ['m0']);
    await databases.orders.query(
      `INSERT INTO producer_message_archive SELECT *, NOW(3) FROM producer_message WHERE message_id = 'm0'`,
    );
    await databases.orders.query(`DELETE FROM producer_message WHERE message_id = 'm0'`);
    const { orderMessages } = (await read()).books;
    expect(orderMessages.map(({ messageId, status }) => `${messageId} ${status}`)).toEqual(['m1 PENDING', 'm0 SENT']);
  });

  it('when a ledger or its trigger is gone, then that part is unread and the others are read', async () => {
    await databases.placeOrders('run', 0, 1);
    await databases.orders.query('DROP TRIGGER chaos_order_placed');
    await databases.inventory.query('DROP TABLE chaos_stock_ledger');
    const { books, unread } = await read();
    expect(unread.map((line) => line.split(':')[0])).toEqual(['placed', 'stockChanges']);
    expect(books.orders).toHaveLength(1);
  });

  it('when a database cannot be reached, then every part of it is unread', async () => {
    const nowhere = new URL(databases.urls.inventoryDb);
    nowhere.port = '1';
    const { unread } = await readBooks({
      ...databases.urls,
      inventoryDb: nowhere.href,
      run: 'run',
      startStock: new Map(),
      tap: null,
      http: null,
    });
    expect(unread.map((line) => line.split(':')[0])).toEqual([
      'endStock',
      'stockChanges',
      'deductionNotes',
      'decisionMessages',
      'transitions',
      'actions',
    ]);
  });
});
