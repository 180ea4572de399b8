import { ServiceDatabases } from '../testkit/service-databases.js';
import type { Step } from './steps.js';
import { MESSAGE_TABLE, runArmed, type ArmedEnd } from './testing/armed-process.js';

let databases: ServiceDatabases;
beforeEach(async () => {
  databases = await ServiceDatabases.create();
});
afterEach(() => databases[Symbol.asyncDispose]());

const CLAIM = `claimBatch(db, [house], { limit: 10, leaseMs: 5000, claimedBy: 'test', byteBudget: 1e6, obstacle: () => null, suspectsKept: 20 })`;
const RETRY = `claimForRetry(db, { consumers: ['inventory.deduct'], leaseMs: () => 5000 })`;

/** Runs the claim twice in a process that is armed: first where nothing is due, then where something is. */
const claimTwice = (step: Step, url: string, claim: string): Promise<ArmedEnd> =>
  runArmed(
    { step, action: 'error' },
    `const { openDatabase, createEvents } = require('${MESSAGE_TABLE}/index.js');
    const { claimBatch } = require('${MESSAGE_TABLE}/producer/store/claim.js');
    const { claimForRetry } = require('${MESSAGE_TABLE}/consumer/store/retry-claim.js');
    const db = openDatabase({ url: process.argv[1], events: createEvents() });
    process.kill(process.pid, 'SIGUSR2');
    setTimeout(async () => {
      for (const house of [1, 0]) await ${claim}.then(() => console.log('went on'), (error) => console.log(error.message));
      await db.close();
    }, 50);`,
    url,
  );

describe('a fail-point after a claim', () => {
  it('when a claim takes nothing, then the step was not reached; when it takes a row, then it was', async () => {
    // Order 0, in house 0; nobody lives in house 1.
    await databases.placeOrders('run', 0, 1);
    const { steps, said } = await claimTwice('after-claim-before-publish', databases.urls.orderDbs[0] ?? '', CLAIM);
    expect(said).toEqual(['went on', 'fail-point after-claim-before-publish']);
    expect(steps).toHaveLength(1);
  });

  it('when no note is due, then the step of a redelivery was not reached', async () => {
    const { steps, said } = await claimTwice('after-retry-claim-before-effect', databases.urls.inventoryDb, RETRY);
    expect(said).toEqual(['went on', 'went on']);
    expect(steps).toEqual([]);
  });

  it('when a note is due, then it was', async () => {
    await databases.inventory.query(DUE_NOTE);
    const { steps, said } = await claimTwice('after-retry-claim-before-effect', databases.urls.inventoryDb, RETRY);
    expect(said[0]).toBe('fail-point after-retry-claim-before-effect');
    expect(steps).toHaveLength(1);
  });
});

const DUE_NOTE = `
  INSERT INTO consumer_message
    (message_id, consumer, received_by, exchange, routing_key, content, status, next_retry_time, first_consume_time, last_consume_time)
  VALUES ('m', 'inventory.deduct', 'queue', '', '', '{}', 'PENDING_RETRY', NOW(3), NOW(3), NOW(3))`;
