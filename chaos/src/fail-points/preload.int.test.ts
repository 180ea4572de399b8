import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ServiceDatabases } from '../testkit/service-databases.js';
import { ARM_FILE, STEPS_FILE, type Step, type StepLine } from './steps.js';

// Runs from dist/: what is preloaded wraps the built modules of a process.
const CHAOS = join(__dirname, '..', '..');
const PRELOAD = join(CHAOS, 'dist', 'fail-points', 'preload.js');
const MESSAGE_TABLE = join(dirname(require.resolve('@counterfoil/message-table/package.json')), 'dist');

let databases: ServiceDatabases;
let folder: string;
beforeEach(async () => {
  databases = await ServiceDatabases.create();
  folder = mkdtempSync(join(tmpdir(), 'steps-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await databases[Symbol.asyncDispose]();
});

const CLAIM = `claimBatch(db, [house], { limit: 10, leaseMs: 5000, claimedBy: 'test', byteBudget: 1e6, obstacle: () => null, suspectsKept: 20 })`;
const RETRY = `claimForRetry(db, { consumers: ['inventory.deduct'], leaseMs: () => 5000 })`;

/** Runs the claim twice in a process that is armed: first where nothing is due, then where something is. */
async function stepsOf(step: Step, url: string, claim: string): Promise<StepLine[]> {
  const [armFile, stepsFile] = [join(folder, 'arm'), join(folder, 'steps')];
  writeFileSync(stepsFile, '');
  writeFileSync(armFile, JSON.stringify({ step, action: 'error' }));
  const script = `
    const { openDatabase, createEvents } = require('${MESSAGE_TABLE}/index.js');
    const { claimBatch } = require('${MESSAGE_TABLE}/producer/store/claim.js');
    const { claimForRetry } = require('${MESSAGE_TABLE}/consumer/store/retry-claim.js');
    const db = openDatabase({ url: process.argv[1], events: createEvents() });
    process.kill(process.pid, 'SIGUSR2');
    setTimeout(async () => {
      for (const house of [1, 0]) await ${claim}.then(() => console.log('went on'), (error) => console.log(error.message));
      await db.close();
    }, 50);`;
  const child = spawn(process.execPath, ['--require', PRELOAD, '-e', script, url], {
    env: { ...process.env, [ARM_FILE]: armFile, [STEPS_FILE]: stepsFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  lines = said.trim().split('\n');
  const text = readFileSync(stepsFile, 'utf8').trim();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as StepLine);
}

let lines: string[] = [];

describe('a fail-point after a claim', () => {
  it('when a claim takes nothing, then the step was not reached; when it takes a row, then it was', async () => {
    // Order 0, in house 0; nobody lives in house 1.
    await databases.placeOrders('run', 0, 1);
    const steps = await stepsOf('after-claim-before-publish', databases.urls.orderDbs[0] ?? '', CLAIM);
    expect(lines).toEqual(['went on', 'fail-point after-claim-before-publish']);
    expect(steps).toHaveLength(1);
  });

  it('when no note is due, then the step of a redelivery was not reached', async () => {
    const steps = await stepsOf('after-retry-claim-before-effect', databases.urls.inventoryDb, RETRY);
    expect(lines).toEqual(['went on', 'went on']);
    expect(steps).toEqual([]);
  });

  it('when a note is due, then it was', async () => {
    await databases.inventory.query(DUE_NOTE);
    const steps = await stepsOf('after-retry-claim-before-effect', databases.urls.inventoryDb, RETRY);
    expect(lines[0]).toBe('fail-point after-retry-claim-before-effect');
    expect(steps).toHaveLength(1);
  });
});

const DUE_NOTE = `
  INSERT INTO consumer_message
    (message_id, consumer, received_by, exchange, routing_key, content, status, next_retry_time, first_consume_time, last_consume_time)
  VALUES ('m', 'inventory.deduct', 'queue', '', '', '{}', 'PENDING_RETRY', NOW(3), NOW(3), NOW(3))`;
