import type { Database } from '../database/database.js';
import { changeRows } from '../database/rows.js';
import { replayMessage } from '../producer/store/actions.js';
import { claimBatch } from '../producer/store/claim.js';
import { insertRows } from '../producer/store/insert.js';
import { OPTIONS, PRODUCER_ROW } from '../producer/store/testing/many-rows.js';
import { sentRows } from '../producer/store/testing/sent-rows.js';
import { startInOrder, stopInReverse } from '../service/lifecycle.js';
import { eventually } from '../testkit/eventually.js';
import { freshDatabase, type FreshDatabase } from '../testkit/fresh-database.js';
import { TableWorld } from '../testkit/table-world.js';
import { createProducerArchive } from './archive-task.js';
import { idsIn, timesStored } from './testing/archiving.js';

const POLICY = { retentionMs: 3_600_000, archiveDays: 30 };
const ROWS = 20_000;

let fresh: FreshDatabase;
let filler: Database;
beforeEach(async () => {
  fresh = await freshDatabase();
  filler = fresh.another({ deadlineMs: 60_000 });
});
afterEach(() => fresh[Symbol.asyncDispose]());

async function running(db: Database, policy = POLICY): Promise<AsyncDisposable> {
  const loops = createProducerArchive(db, policy);
  await startInOrder(loops);
  return { [Symbol.asyncDispose]: () => stopInReverse(loops).then(() => undefined) };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

let nextId = 1_000_000;
/** Messages come in and are claimed until `enough`. @returns how long each round took, ms */
async function traffic(db: Database, enough: (rounds: number) => boolean): Promise<number[]> {
  const took: number[] = [];
  while (!enough(took.length)) {
    const id = String(nextId++);
    const startedMs = performance.now();
    await insertRows(db.knex, [{ ...PRODUCER_ROW, id, messageId: `new-${id}` }]);
    for (let house = 0; house < 10; house += 3) await claimBatch(db, [house], OPTIONS);
    took.push(performance.now() - startedMs);
  }
  return took;
}

it('ARC-01: when 20 000 rows are archived, then inserts and claims go on as without, nobody waits for a lock, and each row is there once', async () => {
  await sentRows(filler, ROWS);
  const front = fresh.another({ lockWaitS: 1 });
  const back = fresh.another();
  let lost = 0;
  let moved = 0;
  for (const { events } of [front, back]) events.on('transactionRetried', () => (lost += 1));
  const alone = await traffic(front, (rounds) => rounds === 60);
  const stepsMs: { endedMs: number; tookMs: number; count: number }[] = [];
  back.events.on('archived', ({ count, tookMs }) => {
    moved += count;
    stepsMs.push({ endedMs: performance.now(), tookMs, count });
  });
  await using _ = await running(back);
  const beside = await traffic(front, () => moved === ROWS);
  expect(lost).toBe(0);
  expect(beside.length).toBeGreaterThan(60);
  expect(median(beside)).toBeLessThan(3 * median(alone));
  expect(Math.max(...stepsMs.map(({ count }) => count))).toBeLessThanOrEqual(400);
  expect(await timesStored(filler, 'producer_message')).toEqual({ 1: ROWS + alone.length + beside.length });
  expectRests(stepsMs);
});

/** After each batch twice its time goes by before the next one begins. */
function expectRests(steps: readonly { endedMs: number; tookMs: number }[]): void {
  const shortOf = steps.slice(1).filter(({ endedMs, tookMs }, before) => {
    const previous = steps[before];
    // A timer of Node's may be a millisecond early.
    return previous !== undefined && endedMs - tookMs - previous.endedMs < 2 * previous.tookMs - 2;
  });
  expect(shortOf).toEqual([]);
}

it('ARC-02: when messages are sent without a pause, then those that get old leave meanwhile, and none stays behind', async () => {
  const back = fresh.another();
  let moved = 0;
  back.events.on('archived', ({ count }) => (moved += count));
  await using _ = await running(back, { retentionMs: 1_000, archiveDays: 30 });
  let sent = 0;
  while (moved < 2_000) {
    const ids = Array.from({ length: 100 }, () => String(nextId++));
    await insertRows(
      filler.knex,
      ids.map((id) => ({ ...PRODUCER_ROW, id, messageId: `new-${id}` })),
    );
    await changeRows(
      filler.knex,
      `UPDATE producer_message SET status = 'SENT', next_retry_time = NULL, update_time = NOW(3) - INTERVAL 900000 MICROSECOND WHERE id IN (?)`,
      [ids.map(BigInt)],
    );
    sent += ids.length;
  }
  await eventually(async () => (await idsIn(filler, 'producer_message')).length === 0);
  expect(await timesStored(filler, 'producer_message')).toEqual({ 1: sent });
});

it('ARC-02: when a relay is told how long sent messages stay, then a message that was sent leaves by itself, and comes back when it is replayed', async () => {
  await using world = await TableWorld.open();
  await world.relay({ archive: { ...POLICY, retentionMs: 1_000 } });
  const { messageId } = await world.accept(await world.producer());
  const archived = (): Promise<boolean> => idsIn(world.db, 'producer_message_archive').then((ids) => ids.length === 1);
  await eventually(archived);
  expect(await world.rows()).toEqual([]);
  expect(await replayMessage(world.db, messageId, { who: 'ann', why: 'again' }, POLICY.retentionMs)).toBe('done');
  await world.channel.whenSent(2);
  await eventually(archived);
  expect(await timesStored(world.db, 'producer_message')).toEqual({ 1: 1 });
});
