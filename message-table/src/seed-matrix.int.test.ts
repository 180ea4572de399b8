import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Channel } from './channels/channel.js';
import { recordingReceiver } from './channels/http/testing/receiver.js';
import { channelTo } from './channels/http/testing/sending.js';
import { createRabbitChannel, type RabbitChannel } from './channels/rabbitmq/index.js';
import { changeRows, selectRows } from './database/rows.js';
import { afterCommit, runInTransaction, type Transaction } from './database/transaction.js';
import type { MessageTable } from './message-table.js';
import type { TaskCommand } from './producer/command.js';
import { claimBatch } from './producer/store/claim.js';
import { housesDue } from './producer/store/read.js';
import { eventually } from './testkit/eventually.js';
import { QueueWorld } from './testkit/queue-world.js';
import { ScriptedEffect } from './testkit/scripted-effect.js';
import { TableWorld } from './testkit/table-world.js';

/** The test matrix of the second seed text, its section 14, row by row: real database, broker and HTTP server. */

let world: TableWorld;
let downstream: QueueWorld;
beforeEach(async () => {
  world = await TableWorld.open();
  downstream = await QueueWorld.open();
  await world.db.knex.raw('CREATE TABLE shop_order (id INT PRIMARY KEY) ENGINE = InnoDB');
  await ScriptedEffect.prepare(downstream.world.db);
});
afterEach(async () => {
  await downstream[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const overRabbit = (messageId: string): TaskCommand => ({
  ...{ messageId, taskName: 'order.created', channel: 'rabbitmq', content: { orderId: 1 } },
  config: { exchange: downstream.exchange, routingKey: 'key' },
});

const placeOrder = (table: MessageTable, command: TaskCommand, then?: (trx: Transaction) => unknown): Promise<void> =>
  runInTransaction(world.db, async (trx) => {
    await changeRows(trx, 'INSERT INTO shop_order VALUES (1)');
    await table.acceptor.accept(trx, command);
    await then?.(trx);
  });

async function stored(): Promise<{ orders: number; messages: number }> {
  const orders = await selectRows(world.db.knex, 'SELECT id FROM shop_order');
  return { orders: orders.length, messages: (await world.rows()).length };
}

/** A producing process whose messages go to the real broker as soon as they are committed. */
async function rabbitProducer(): Promise<{ table: MessageTable; channel: RabbitChannel }> {
  const channel = await downstream.publisher();
  return { table: await world.producer({ channels: [channel], fastPathPlaces: 10 }), channel };
}

/** What consumes downstream, with its inbox. */
async function consumer(): Promise<ScriptedEffect> {
  const effect = new ScriptedEffect();
  await downstream.run(downstream.replica(effect));
  return effect;
}

describe('事务边界: order and message share one transaction', () => {
  it('业务写库成功，任务写库成功: when both writes succeed, then both tables commit together', async () => {
    const table = await world.producer();
    await placeOrder(table, overRabbit('m1'), async () => {
      expect(await stored()).toEqual({ orders: 0, messages: 0 });
    });
    expect(await stored()).toEqual({ orders: 1, messages: 1 });
  });

  it('业务写库异常: when the business write fails after the message was written, then both roll back', async () => {
    const table = await world.producer();
    const failing = placeOrder(table, overRabbit('m1'), (trx) => changeRows(trx, 'INSERT INTO shop_order VALUES (1)'));
    await expect(failing).rejects.toMatchObject({ errno: 1062 });
    expect(await stored()).toEqual({ orders: 0, messages: 0 });
  });

  it('任务写库异常: when the message cannot be written, then the order rolls back', async () => {
    const table = await world.producer();
    await world.db.knex.raw('RENAME TABLE producer_message TO hidden');
    await expect(placeOrder(table, overRabbit('m1'))).rejects.toMatchObject({ errno: 1146 });
    await world.db.knex.raw('RENAME TABLE hidden TO producer_message');
    expect(await stored()).toEqual({ orders: 0, messages: 0 });
  });

  it('事务回滚: when the transaction rolls back, then no hook runs and nothing reaches the broker', async () => {
    const { table } = await rabbitProducer();
    const ran = jest.fn();
    const failing = placeOrder(table, overRabbit('m1'), (trx) => {
      afterCommit(trx, ran);
      throw new Error('mock rollback');
    });
    await expect(failing).rejects.toThrow('mock rollback');
    await placeOrder(table, overRabbit('m2'));
    await downstream.untilWaiting(1);
    expect((await downstream.broker.take(downstream.queue)).properties.messageId).toBe('m2');
    expect(ran).not.toHaveBeenCalled();
    expect(await stored()).toEqual({ orders: 1, messages: 1 });
  });
});

describe('HTTP', () => {
  it('HTTP 调用成功: when the server answers 2xx, then the message is SENT', async () => {
    const { receiver, seen } = await recordingReceiver([200]);
    await using _ = receiver;
    const table = await httpProducer(receiver.port);
    await placeOrder(table, overHttp(receiver.url));
    await world.until('m1', ({ status }) => status === 'SENT');
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['m1']);
  });

  it('HTTP 调用超时: when the server does not answer in time, then the message waits for its next attempt, under the same key', async () => {
    const { receiver, seen } = await recordingReceiver(['never', 200]);
    await using _ = receiver;
    const table = await httpProducer(receiver.port);
    await placeOrder(table, overHttp(receiver.url));
    const waiting = await world.until('m1', ({ status }) => status === 'PENDING');
    expect(waiting.dueInMs).toBeGreaterThan(0);
    expect(waiting.errorMsg).toMatch(/No answer/);
    await world.makeDue();
    await world.relay({ channels: [httpChannel(receiver.port)] });
    await world.until('m1', ({ status }) => status === 'SENT');
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['m1', 'm1']);
  });

  const overHttp = (url: string): TaskCommand => ({
    ...{ messageId: 'm1', taskName: 'order.created', channel: 'http', content: { orderId: 1 } },
    config: { url },
  });

  const httpChannel = (port: number): Channel => channelTo([`127.0.0.1:${String(port)}`], { attemptTimeoutMs: 500 });

  const httpProducer = (port: number): Promise<MessageTable> =>
    world.producer({ channels: [httpChannel(port)], fastPathPlaces: 10, attemptTimeoutMs: 500 });
});

describe('RabbitMQ', () => {
  it('MQ Confirm 成功: when the broker confirms, then the message is SENT and in its queue', async () => {
    const { table } = await rabbitProducer();
    await placeOrder(table, overRabbit('m1'));
    await world.until('m1', ({ status }) => status === 'SENT');
    await downstream.untilWaiting(1);
  });

  it('MQ 发送结果不确定: when the confirm is lost, then the message stays to be sent again, and downstream it takes effect once', async () => {
    const { proxy, amqpUrls } = await downstream.lineToBroker();
    const { topology } = downstream;
    const channel = createRabbitChannel({
      ...{ urls: amqpUrls, topology, events: world.db.events, connectionName: 'unsure' },
      ...{ deadlineMs: 1_000, heartbeatS: 10, attemptTimeoutMs: 500 },
    });
    channel.start();
    downstream.world.atEnd(() => channel.stop());
    await eventually(() => channel.isUp());
    const table = await world.producer({ channels: [channel], fastPathPlaces: 10 });
    proxy.swallow('toClient');
    await placeOrder(table, overRabbit('m1'));
    expect(await world.until('m1', ({ status }) => status === 'PENDING')).toMatchObject({ retryCount: 0 });
    await downstream.untilWaiting(1);
    proxy.heal();
    proxy.reset();
    await eventually(() => channel.isUp());
    await world.makeDue();
    await world.relay({ channels: [channel] });
    await world.until('m1', ({ status }) => status === 'SENT');
    await downstream.untilWaiting(2);
    await consumer();
    await downstream.untilEmpty();
    expect(await ScriptedEffect.counts(downstream.world.db)).toEqual({ m1: 1 });
  });
});

describe('崩溃与并发', () => {
  it('应用提交事务后立即宕机: when the process is killed right after COMMIT, then a relay sends the message', async () => {
    const env = {
      ...{ ...process.env, COMPONENT: join(__dirname, '..', 'dist', 'index.js'), DATABASE_URL: world.fresh.url },
      ...{ BROKER_URL: downstream.broker.url(), EXCHANGE: downstream.exchange, ROUTING_KEY: 'key' },
    };
    const channel = await downstream.publisher();
    const program = join(__dirname, 'testkit', 'killed-after-commit.cjs');
    const died = promisify(execFile)(process.execPath, [program], { env });
    await expect(died).rejects.toMatchObject({ signal: 'SIGKILL' });
    expect(await stored()).toEqual({ orders: 1, messages: 1 });
    expect(await world.row('m1')).toMatchObject({ status: 'SENDING', version: 0 });
    expect(await downstream.broker.messagesIn(downstream.queue)).toBe(0);
    await world.makeDue();
    await world.relay({ channels: [channel] });
    await world.until('m1', ({ status }) => status === 'SENT');
    await downstream.untilWaiting(1);
  });

  it('两个节点同时扫描同一任务: when two nodes scan at the same time, then each message is claimed by one of them', async () => {
    const table = await world.producer();
    const ids = Array.from({ length: 40 }, (_, index) => `m${String(index)}`);
    await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, ids.map(overRabbit)));
    const nodes = [world.fresh.another(), world.fresh.another()];
    const options = { limit: 100, leaseMs: 30_000, byteBudget: 1e6, obstacle: () => null, suspectsKept: 20 };
    const claimed: string[] = [];
    // A row that one of them is just looking at is skipped by the other, and may be left to the next scan.
    for (let due = await housesDue(world.db.knex, 'PENDING'); due.length > 0;) {
      const claims = due.flatMap((house) =>
        nodes.map((db, node) => claimBatch(db, [house], { ...options, claimedBy: `node-${String(node)}` })),
      );
      for (const { claims: got } of await Promise.all(claims)) claimed.push(...got.map(({ messageId }) => messageId));
      due = await housesDue(world.db.knex, 'PENDING');
    }
    expect(claimed.sort()).toEqual([...ids].sort());
    expect((await world.rows()).every(({ status, version }) => status === 'SENDING' && version === 1)).toBe(true);
  });

  it('同一任务重复创建: when the same task is created again, then the existing one is returned; another one under its id is stopped, and its order rolls back', async () => {
    const table = await world.producer();
    const command = overRabbit('ORDER_CREATED:1');
    const first = await runInTransaction(world.db, (trx) => table.acceptor.accept(trx, command));
    expect(await runInTransaction(world.db, (trx) => table.acceptor.accept(trx, command))).toEqual(first);
    const other = placeOrder(table, { ...command, content: { orderId: 2 } });
    await expect(other).rejects.toMatchObject({ code: 'MESSAGE_ID_TAKEN' });
    expect(await stored()).toEqual({ orders: 0, messages: 1 });
  });

  it('同一消息重复投递: when the same message is delivered again, then it takes effect once', async () => {
    await consumer();
    for (let i = 0; i < 3; i += 1) downstream.publish('m1');
    downstream.publish('m2');
    await eventually(async () => (await ScriptedEffect.counts(downstream.world.db))['m2'] === 1);
    await downstream.untilEmpty();
    expect(await ScriptedEffect.counts(downstream.world.db)).toEqual({ m1: 1, m2: 1 });
  });
});
