import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandStage } from './command-stage.mjs';
import { tallyOf } from './node-stage.mjs';
import { runStages } from './run-stages.mjs';
import { withVerdict } from './verdict.mjs';

const stage = (name, tally) => ({ name, run: async () => tally });
const broken = {
  name: 'broken',
  run: async () => {
    throw new Error('no servers');
  },
};

async function outcome(stages) {
  const lines = [];
  const code = await runStages(stages, { write: (text) => lines.push(...text.split('\n')) });
  return { code, last: lines.at(-1) };
}

describe('a run of stages passes only when something was tested and nothing failed', () => {
  it('when all stages pass, then their counts are summed on the last line', async () => {
    const stages = [stage('a', { passed: 2, failed: 0, skipped: 0 }), stage('b', { passed: 3, failed: 0, skipped: 1 })];
    assert.deepEqual(await outcome(stages), { code: 0, last: '5 passed, 0 failed' });
  });

  it('when a stage breaks, then it counts as failed and the next one still runs', async () => {
    const stages = [broken, stage('b', { passed: 3, failed: 0, skipped: 0 })];
    assert.deepEqual(await outcome(stages), { code: 1, last: '3 passed, 1 failed' });
  });

  it('when nothing was executed, then the run fails', async () => {
    assert.deepEqual(await outcome([stage('a', { passed: 0, failed: 0, skipped: 4 })]), {
      code: 1,
      last: '0 passed, 1 failed',
    });
  });
});

describe('counts are believed only as far as the exit agrees', () => {
  const well = { passed: 3, failed: 0, skipped: 0 };
  const none = { passed: 0, failed: 0, skipped: 0 };

  it('when the runner exits badly without a failed test, then one failure is counted', () => {
    assert.equal(withVerdict(well, { exitedWell: false, mayBeEmpty: false }).failed, 1);
  });

  it('when no test ran, then it is a failure, unless a filter left none', () => {
    assert.equal(withVerdict(none, { exitedWell: true, mayBeEmpty: false }).failed, 1);
    assert.equal(withVerdict(none, { exitedWell: true, mayBeEmpty: true }).failed, 0);
  });

  it("when Node's runner leaves its counts, then cancelled tests count as failed", () => {
    const tap = '# pass 3\n# fail 1\n# cancelled 1\n# skipped 2\n# todo 0\n';
    assert.deepEqual(tallyOf(tap), { passed: 3, failed: 2, skipped: 2 });
    assert.throws(() => tallyOf('1..0'), /no counts/);
  });

  it('when a script exits with 1 or is ended by a signal, then its stage failed', async () => {
    const failing = commandStage('exits', { script: '-e', args: ['process.exit(1)'], minutes: 1 });
    const ended = commandStage('dies', { script: '-e', args: ["process.kill(process.pid, 'SIGKILL')"], minutes: 1 });
    assert.deepEqual(await failing.run(), { passed: 0, failed: 1, skipped: 0 });
    assert.deepEqual(await ended.run(), { passed: 0, failed: 1, skipped: 0 });
  });
});
