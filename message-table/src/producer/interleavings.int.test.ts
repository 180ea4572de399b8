import fc, { type Scheduler } from 'fast-check';

import { refused, unknown, type Outcome } from '../channels/outcome.js';
import { runInTransaction } from '../database/transaction.js';
import { modelParameters } from '../testkit/model-parameters.js';
import { TableWorld } from '../testkit/table-world.js';
import { changeRows } from '../database/rows.js';
import { decide } from './decide.js';
import { asClaim, HOUSE_COUNT, type Claim } from './producer-message.js';
import { claimBatch, claimSuspect, type ClaimOptions } from './store/claim.js';
import { insertRows } from './store/insert.js';
import { DEFAULT_RETRY_POLICY } from './store/retry-policy.js';
import { settle, type Settled } from './store/settle.js';
import { sweepProducerLeases } from './store/sweep.js';

/**
 * The fast path, two relays and the sweep meet on one row, in every order of their steps that the scheduler thinks
 * of. Whatever the order: of all that settle, exactly those that hold the row succeed, and SENT is never left.
 */

const OPTIONS: ClaimOptions = {
  limit: 5,
  leaseMs: 60_000,
  claimedBy: 'interleaving',
  byteBudget: 1_000_000,
  obstacle: () => null,
  suspectsKept: 5,
};

let world: TableWorld;
beforeAll(async () => {
  world = await TableWorld.open();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

interface Ending {
  readonly outcome: Outcome;
  readonly verdict: Settled;
}

async function holdAndSettle(scheduler: Scheduler, claim: Claim, outcome: Outcome, endings: Ending[]): Promise<void> {
  await scheduler.schedule(Promise.resolve(), 'settle');
  const [verdict = 'lease-lost'] = await settle(world.db, DEFAULT_RETRY_POLICY, [
    { claim, settlement: decide(outcome, claim) },
  ]);
  endings.push({ outcome, verdict });
}

async function relay(scheduler: Scheduler, outcome: Outcome, endings: Ending[]): Promise<void> {
  for (let pass = 0; pass < 2; pass += 1) {
    await scheduler.schedule(Promise.resolve(), 'claim');
    for (const claim of await claimAnywhere()) await holdAndSettle(scheduler, claim, outcome, endings);
  }
}

async function claimAnywhere(): Promise<Claim[]> {
  for (let house = 0; house < HOUSE_COUNT; house += 1) {
    const { claims, suspects } = await claimBatch(world.db, [house], OPTIONS);
    if (claims.length > 0) return [...claims];
    const [suspect] = suspects;
    const alone = suspect === undefined ? null : await claimSuspect(world.db, suspect, OPTIONS);
    if (alone !== null) return [alone];
  }
  return [];
}

async function sweeper(scheduler: Scheduler): Promise<void> {
  for (let pass = 0; pass < 2; pass += 1) {
    await scheduler.schedule(Promise.resolve(), 'the lease ends');
    await world.makeDue();
    await scheduler.schedule(Promise.resolve(), 'sweep');
    await sweepProducerLeases(world.db);
  }
}

async function aRowOnTheFastPath(): Promise<Claim> {
  await changeRows(world.db.knex, 'DELETE FROM producer_message');
  const where = { channel: 'rabbitmq', exchange: 'x', routingKey: 'y', channelConfig: null };
  const common = { ...where, taskName: 'test', content: '{}', headers: null };
  await runInTransaction(world.db, (trx) =>
    insertRows(trx, [
      {
        ...common,
        id: '77',
        messageId: 'one',
        status: 'SENDING',
        maxRetryCount: 9,
        actsInMs: 60_000,
        claimedBy: 'fast path',
      },
    ]),
  );
  return asClaim({
    id: '77',
    version: 0,
    messageId: 'one',
    retryCount: 0,
    maxRetryCount: 9,
    leaseEndsMs: performance.now() + 60_000,
  });
}

const outcomes = fc.constantFrom<Outcome>({ kind: 'confirmed' }, refused('nack'), unknown('silence'));

it('when fast path, relays and sweep meet on one row, then nobody overwrites what another one settled', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.tuple(outcomes, outcomes, outcomes),
      async (scheduler, [first, second, third]) => {
        const endings: Ending[] = [];
        const claim = await aRowOnTheFastPath();
        const actors = [
          holdAndSettle(scheduler, claim, first, endings),
          relay(scheduler, second, endings),
          relay(scheduler, third, endings),
          sweeper(scheduler),
        ];
        await scheduler.waitFor(Promise.all(actors));
        const row = await world.row('one');
        const confirmed = endings.filter(
          ({ outcome, verdict }) => outcome.kind === 'confirmed' && verdict === 'settled',
        );
        expect(confirmed.length).toBeLessThanOrEqual(1);
        expect(row.status).toBe(confirmed.length === 1 ? 'SENT' : row.status);
        expect(row.retryCount).toBe(
          endings.filter(({ outcome, verdict }) => outcome.kind === 'refused' && verdict === 'settled').length,
        );
      },
    ),
    modelParameters(),
  );
}, 240_000);
