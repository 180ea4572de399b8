import { changeRows, selectRows } from '../database/rows.js';
import { createMessageTable } from '../message-table.js';
import { eventually } from '../testkit/eventually.js';
import { freshDatabase, type FreshDatabase } from '../testkit/fresh-database.js';
import { StatementProxy } from '../testkit/statement-proxy.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { createSnowflake } from './snowflake.js';
import { WorkerLease } from './worker-lease.js';

let fresh: FreshDatabase;
beforeEach(async () => {
  fresh = await freshDatabase();
});
afterEach(() => fresh[Symbol.asyncDispose]());

const holders = () =>
  selectRows<{ workerId: number; holder: string }>(
    fresh.db.knex,
    'SELECT worker_id AS workerId, holder FROM worker_lease WHERE holder IS NOT NULL',
  );
const occupyAll = () =>
  changeRows(
    fresh.db.knex,
    `UPDATE worker_lease SET holder = 'other', version = version + 1, lease_until = NOW(3) + INTERVAL 1 HOUR`,
  );
const freeOne = (workerId: number) =>
  changeRows(fresh.db.knex, 'UPDATE worker_lease SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE worker_id = ?', [
    workerId,
  ]);

const expectNoId = (lease: WorkerLease): void => {
  expect(() => lease.now()).toThrow(/No worker id is leased/);
};

describe('no two live holders share a worker id', () => {
  it('when 40 processes ask at once, then each has its own', async () => {
    const leases = Array.from({ length: 40 }, (_, n) => new WorkerLease(fresh.db, `process-${String(n)}`));
    await Promise.all(leases.map((lease) => lease.renew()));
    expect(new Set(leases.map((lease) => lease.now().workerId)).size).toBe(40);
    expect(await holders()).toHaveLength(40);
  });

  it('when a lease is renewed, then it keeps its id; when it is over, then another may have that id', async () => {
    const first = new WorkerLease(fresh.db, 'first');
    await first.renew();
    await first.renew();
    const { workerId } = first.now();
    const second = new WorkerLease(fresh.db, 'second');
    await second.renew();
    expect(second.now().workerId).not.toBe(workerId);
    await freeOne(workerId);
    const third = new WorkerLease(fresh.db, 'third');
    await third.renew();
    expect(third.now().workerId).toBe(workerId);
  });

  it('when two may take from different ranges, then theirs never meet, and a range that is used up says so', async () => {
    const low = new WorkerLease(fresh.db, 'low', { ids: { first: 0, last: 1 } });
    const high = new WorkerLease(fresh.db, 'high', { ids: { first: 512, last: 1_023 } });
    await Promise.all([low.renew(), high.renew()]);
    expect([low.now().workerId, high.now().workerId]).toEqual([0, 512]);
    await new WorkerLease(fresh.db, 'low, too', { ids: { first: 0, last: 1 } }).renew();
    const late = new WorkerLease(fresh.db, 'late', { ids: { first: 0, last: 1 } });
    await expect(late.renew()).rejects.toThrow('All worker ids from 0 to 1 are leased');
  });

  it('when all 1024 are taken, then the next one gets none and says so', async () => {
    await occupyAll();
    const lease = new WorkerLease(fresh.db, 'late');
    await expect(lease.renew()).rejects.toMatchObject({ code: 'NO_WORKER_ID' });
    expectNoId(lease);
  });
});

describe('a lease that is not certain makes no ids', () => {
  it('when somebody else has taken it and none is free, then there is no id until one is', async () => {
    const lease = new WorkerLease(fresh.db, 'stalled');
    await lease.renew();
    await occupyAll();
    await expect(lease.renew()).rejects.toMatchObject({ code: 'NO_WORKER_ID' });
    expectNoId(lease);
    await freeOne(77);
    await lease.renew();
    expect(lease.now().workerId).toBe(77);
  });

  it('when half of the lease has passed without a renewal, then there is no id; after the next one there is', async () => {
    let monotonicMs = 1_000;
    const lease = new WorkerLease(fresh.db, 'slow', { monotonicMs: () => monotonicMs });
    await lease.renew();
    monotonicMs += 30_000;
    lease.now();
    monotonicMs += 1;
    expectNoId(lease);
    await lease.renew();
    lease.now();
  });

  it('RLY-03: when the first renewals fail, then the loop goes on, and ids come as soon as the database answers', async () => {
    await using proxy = await StatementProxy.before(fresh.url);
    const db = fresh.another({ url: proxy.url });
    proxy.strike('worker_lease', 'cut-before', 2);
    const table = createMessageTable({
      db,
      channels: [new ScriptedChannel()],
      processName: 'p',
      retry: { retryBaseMs: 1, retryMaxMs: 1, unknownPauseMs: 1 },
      leaseMs: 30_000,
      attemptTimeoutMs: 1_000,
      maxContentBytes: 1_000,
      maxRetryCount: 5,
      fastPathPlaces: 0,
    });
    const failures: string[] = [];
    db.events.on('loopFailed', ({ loop }) => failures.push(loop));
    for (const service of table.services) await service.start();
    await eventually(() => {
      try {
        return table.newId();
      } catch {
        return null;
      }
    });
    expect(failures).toEqual(['worker-lease', 'worker-lease']);
    for (const service of [...table.services].reverse()) await service.stop();
  });

  it('when a renewal’s answer is lost, then the process goes on with a certain lease and shares none', async () => {
    await using proxy = await StatementProxy.before(fresh.url);
    const lease = new WorkerLease(fresh.another({ url: proxy.url }), 'cut');
    await lease.renew();
    proxy.strike('SET lease_until', 'cut-answer');
    await expect(lease.renew()).rejects.toThrow();
    await lease.renew();
    const other = new WorkerLease(fresh.db, 'other');
    await other.renew();
    expect(other.now().workerId).not.toBe(lease.now().workerId);
  });
});

it('when a process stops, then the next holder of its worker id makes only larger ids', async () => {
  const first = new WorkerLease(fresh.db, 'first');
  await first.renew();
  const { workerId } = first.now();
  const newId = createSnowflake(first);
  const last = Array.from({ length: 50_000 }, newId).at(-1) ?? '';
  await first.release();
  expectNoId(first);
  const soon = new WorkerLease(fresh.db, 'soon');
  await soon.renew();
  expect(soon.now().workerId).not.toBe(workerId);
  await eventually(
    async () =>
      (
        await selectRows(fresh.db.knex, 'SELECT 1 FROM worker_lease WHERE worker_id = ? AND lease_until < NOW(3)', [
          workerId,
        ])
      ).length === 1,
  );
  const second = new WorkerLease(fresh.db, 'second');
  await second.renew();
  expect(second.now().workerId).toBe(workerId);
  expect(BigInt(createSnowflake(second)())).toBeGreaterThan(BigInt(last));
});
