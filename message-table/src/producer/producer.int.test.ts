import { refused, refusedForGood, suspect, unknown } from '../channels/outcome.js';
import { changeRows } from '../database/rows.js';
import { runInTransaction } from '../database/transaction.js';
import { aCommand, TableWorld } from '../testkit/table-world.js';

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

describe('a message is there if, and only if, the transaction committed', () => {
  it('when the transaction rolls back, then there is no message and nothing was sent', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    const failing = runInTransaction(world.db, async (trx) => {
      await table.acceptor.accept(trx, aCommand());
      throw new Error('the order is not possible');
    });
    await expect(failing).rejects.toThrow('the order is not possible');
    expect(await world.rows()).toEqual([]);
    expect(world.channel.sendings).toEqual([]);
  });

  it('when a plain knex transaction is used, then the message waits for the relay, for nobody can say when it commits [new→PENDING accepted]', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    await world.db.knex.transaction((trx) => table.acceptor.accept(trx, aCommand()));
    expect(await world.rows()).toMatchObject([{ status: 'PENDING', version: 0 }]);
    expect(world.channel.sendings).toEqual([]);
  });

  it('RLY-11: when two messages are accepted in one transaction, then both are sent', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    const [first, second] = await runInTransaction(world.db, (trx) =>
      table.acceptor.acceptAll(trx, [aCommand(), aCommand()]),
    );
    await world.until(first?.messageId ?? '', ({ status }) => status === 'SENT');
    await world.until(second?.messageId ?? '', ({ status }) => status === 'SENT');
  });
});

describe('the fast path owns what it inserted', () => {
  it('when the transaction commits, then the message is sent at once and the row ends SENT one version on [new→SENDING accepted, fast path] [SENDING→SENT confirmed]', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    const { messageId } = await world.accept(table);
    expect(await world.until(messageId, ({ status }) => status === 'SENT')).toMatchObject({
      version: 1,
      dueInMs: null,
    });
  });

  it('RLY-01: when a relay polls while the fast path still waits for its confirm, then the message is published once', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    world.channel.automatic = null;
    const { messageId } = await world.accept(table);
    await world.channel.whenSent(1);
    world.channel.automatic = () => ({ kind: 'confirmed' });
    await world.relay();
    const other = await world.accept(await world.producer());
    await world.until(other.messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings.filter(({ message }) => message.messageId === messageId)).toHaveLength(1);
  });

  it('when no place is free, then the row is PENDING and the relay sends it', async () => {
    const table = await world.producer({ fastPathPlaces: 1 });
    world.channel.automatic = null;
    await world.accept(table);
    const second = await world.accept(table);
    expect(await world.row(second.messageId)).toMatchObject({ status: 'PENDING', version: 0 });
  });

  it('when the channel is down, then the row is PENDING at once', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    world.channel.up = false;
    const { messageId } = await world.accept(table);
    expect(await world.row(messageId)).toMatchObject({ status: 'PENDING' });
  });

  it('when a transaction rolls back after it reserved places, then the places are free again', async () => {
    const table = await world.producer({ fastPathPlaces: 1 });
    for (let i = 0; i < 3; i += 1) {
      const failing = runInTransaction(world.db, async (trx) => {
        await table.acceptor.accept(trx, aCommand());
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
    }
    const { messageId } = await world.accept(table);
    await world.until(messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings).toHaveLength(1);
  });
});

describe('an attempt ends in one of three ways', () => {
  it('when it is refused with attempts left, then it waits for its back-off and has used one [SENDING→PENDING refused]', async () => {
    world.channel.automatic = () => refused('NO_ROUTE');
    await world.relay();
    const { messageId } = await world.accept(await world.producer());
    const row = await world.until(messageId, ({ status, retryCount }) => status === 'PENDING' && retryCount === 1);
    expect(row).toMatchObject({ version: 2, errorMsg: 'NO_ROUTE', lostCount: 0 });
    expect(row.dueInMs).toBeGreaterThan(1_000);
    expect(row.dueInMs).toBeLessThan(2_500);
  });

  it('when it is refused for the last time, then it is FAILED and a person decides [SENDING→FAILED refused]', async () => {
    world.channel.automatic = () => refused('NO_ROUTE');
    await world.relay();
    const { messageId } = await world.accept(await world.producer(), { maxRetryCount: 3 });
    for (let attempt = 1; attempt < 3; attempt += 1) {
      await world.until(messageId, ({ retryCount }) => retryCount === attempt);
      await world.makeDue();
    }
    const row = await world.until(messageId, ({ status }) => status === 'FAILED');
    expect(row).toMatchObject({ retryCount: 3, dueInMs: null });
    expect(world.channel.sendings).toHaveLength(3);
  });

  it('when it is refused for good, then it is FAILED after one attempt [SENDING→FAILED refused]', async () => {
    world.channel.automatic = () => refusedForGood('headers too large');
    await world.relay();
    const { messageId } = await world.accept(await world.producer());
    expect(await world.until(messageId, ({ status }) => status === 'FAILED')).toMatchObject({ retryCount: 1 });
  });

  it('when there is no answer, then no attempt is used, however often [SENDING→PENDING unknown]', async () => {
    world.channel.automatic = () => unknown('no answer');
    await world.relay({ breaker: { openAfter: 100 } });
    const { messageId } = await world.accept(await world.producer(), { maxRetryCount: 2 });
    for (let sent = 1; sent <= 6; sent += 1) {
      await world.channel.whenSent(sent);
      await world.until(messageId, ({ status }) => status === 'PENDING');
      await world.makeDue();
    }
    world.channel.automatic = () => ({ kind: 'confirmed' });
    expect(await world.until(messageId, ({ status }) => status === 'SENT')).toMatchObject({ retryCount: 0 });
  });

  it('when the line was cut for a reason of the broker, then what was in flight is sent alone [SENDING→PENDING unknown]', async () => {
    world.channel.automatic = (_, alone) => (alone ? { kind: 'confirmed' } : suspect('404 NOT_FOUND'));
    await world.relay();
    const table = await world.producer();
    const accepted = await Promise.all([world.accept(table), world.accept(table), world.accept(table)]);
    for (const { messageId } of accepted) {
      await world.until(messageId, ({ lostCount, status }) => lostCount === 1 || status === 'SENT');
      await world.makeDue();
    }
    for (const { messageId } of accepted) await world.until(messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings.filter(({ alone }) => alone)).toHaveLength(3);
  });
});

describe('whoever lost the lease changes nothing', () => {
  it('RLY-02: when a stalled sender wakes after another one sent the message, then its settle finds nothing to change', async () => {
    const stalled = world.fresh.another();
    const leaseLost = new Promise((resolve) => stalled.events.once('leaseLost', resolve));
    world.channel.automatic = null;
    await world.relay({ db: stalled, processName: 'stalled' });
    const { messageId } = await world.accept(await world.producer());
    await world.channel.whenSent(1);
    world.channel.automatic = () => ({ kind: 'confirmed' });
    await world.makeDue();
    await world.relay({ processName: 'quick' });
    const sent = await world.until(messageId, ({ status }) => status === 'SENT');
    world.channel.sendings[0]?.answer(refused('late'));
    expect(await leaseLost).toMatchObject({ id: sent.id });
    expect(await world.row(messageId)).toEqual(sent);
  });
});

describe('a lease that ends without an outcome is counted as lost, never as an attempt', () => {
  it('RLY-10: when the only sender dies with its claims, then another sends them when the leases end [SENDING→PENDING lease over]', async () => {
    const table = await world.producer({ fastPathPlaces: 100 });
    world.channel.automatic = null;
    const accepted = await Promise.all(Array.from({ length: 20 }, () => world.accept(table)));
    await world.channel.whenSent(20);
    world.channel.automatic = () => ({ kind: 'confirmed' });
    await world.makeDue();
    await world.relay();
    for (const { messageId } of accepted) {
      expect(await world.until(messageId, ({ status }) => status === 'SENT')).toMatchObject({
        retryCount: 0,
        lostCount: 0,
      });
    }
  });

  it('RLY-04: when a message takes its process down each time, then it ends FAILED after five leases and the others are sent [SENDING→FAILED worker-lost]', async () => {
    const table = await world.producer();
    const killer = await world.accept(table, { messageId: 'killer' });
    const others = await Promise.all(Array.from({ length: 10 }, () => world.accept(table)));
    // Nobody answers for the killer: its lease ends by itself, as it does when the process is gone.
    world.channel.automatic = ({ messageId }) => (messageId === 'killer' ? null : { kind: 'confirmed' });
    await world.relay({ leaseMs: 4_000 });
    for (const { messageId } of others) await world.until(messageId, ({ status }) => status === 'SENT');
    for (let lost = 1; lost <= 5; lost += 1) {
      await world.until(killer.messageId, ({ status }) => status === 'SENDING');
      await changeRows(
        world.db.knex,
        `UPDATE producer_message SET next_retry_time = NOW(3) - INTERVAL 1 SECOND WHERE message_id = 'killer' AND status = 'SENDING'`,
      );
      await world.until(killer.messageId, ({ lostCount }) => lostCount === lost);
      if (lost < 5) await world.relay({ leaseMs: 4_000 });
    }
    const row = await world.until(killer.messageId, ({ status }) => status === 'FAILED');
    expect(row.errorMsg).toMatch(/^worker-lost/);
    expect(row.retryCount).toBe(0);
  });
});
