import { selectRows } from '../../database/rows.js';
import { runInTransaction } from '../../database/transaction.js';
import { aCommand, TableWorld } from '../../testkit/table-world.js';
import { claimBatch, type ClaimOptions } from './claim.js';
import { pullForward } from './park.js';

const DESTINATION = 'rabbitmq inventory.exchange inventory.deduct';
const HOUSES = 10;

let world: TableWorld;
beforeEach(async () => {
  world = await TableWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

async function parkAll(ms: number): Promise<void> {
  const table = await world.producer();
  const commands = Array.from({ length: 100 }, () => aCommand());
  await runInTransaction(world.db, (trx) => table.acceptor.acceptAll(trx, commands));
  const parking: ClaimOptions = {
    ...{ limit: 100, leaseMs: 30_000, claimedBy: 'relay-1', byteBudget: 8_388_608, suspectsKept: 20 },
    obstacle: () => ({ parkedFor: DESTINATION, ms }),
  };
  for (let house = 0; house < HOUSES; house += 1) await claimBatch(world.db, [house], parking);
}

/** From the writing of each row to its due time, the shortest and the longest, ms. */
async function gaps(): Promise<{ shortest: number; longest: number }> {
  const gap = 'TIMESTAMPDIFF(MICROSECOND, update_time, next_retry_time) / 1000';
  const [row] = await selectRows<{ shortest: string; longest: string }>(
    world.db.knex,
    `SELECT MIN(${gap}) AS shortest, MAX(${gap}) AS longest FROM producer_message`,
  );
  return { shortest: Number(row?.shortest), longest: Number(row?.longest) };
}

describe('rows that are put off', () => {
  it('when they are put off, then none comes back before its time: it would only be put off again', async () => {
    await parkAll(60_000);
    const { shortest, longest } = await gaps();
    expect(shortest).toBeGreaterThanOrEqual(60_000);
    expect(longest).toBeLessThanOrEqual(72_000);
    expect(longest - shortest).toBeGreaterThan(1_000);
  });

  it('when the obstacle ends, then what was due in a moment is not put off any further by coming forward', async () => {
    await parkAll(5_000);
    const soon = 'update_time = NOW(3), next_retry_time = NOW(3) + INTERVAL 500000 MICROSECOND';
    await world.db.knex.raw(`UPDATE producer_message SET ${soon}`);
    expect(await pullForward(world.db, DESTINATION, () => true)).toBe(true);
    expect((await gaps()).longest).toBeLessThanOrEqual(500);
  });

  it('when there are too many to bring forward at once, then it can be left off and gone on with', async () => {
    await parkAll(60_000);
    let batches = 0;
    expect(await pullForward(world.db, DESTINATION, () => (batches += 1) <= 3)).toBe(false);
    const waiting = await world.rows('WHERE next_retry_time > NOW(3) + INTERVAL 30 SECOND');
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.length).toBeLessThan(100);
    expect(await pullForward(world.db, DESTINATION, () => true)).toBe(true);
    expect(await world.rows('WHERE next_retry_time > NOW(3) + INTERVAL 2 SECOND')).toEqual([]);
  });
});
