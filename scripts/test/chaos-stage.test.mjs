import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { chaosStage } from './chaos-stage.mjs';
import { withScratchFile } from './with-scratch-file.mjs';

/** A harness that ends with `code` and leaves `json`. */
const tallyOf = (code, json) =>
  withScratchFile((program) => {
    const text = `
      const file = process.argv[process.argv.indexOf('--json') + 1];
      if (${json !== undefined}) require('node:fs').writeFileSync(file, ${JSON.stringify(JSON.stringify(json) ?? '')});
      process.exit(${code});`;
    writeFileSync(program, text);
    return chaosStage('chaos', { scenarios: ['baseline'], args: [], minutes: 1, program }).run();
  });

describe('a chaos run of npm test', () => {
  it('when it is valid, then it has passed; when it is invalid, then it has failed', async () => {
    assert.deepEqual(await tallyOf(0, { counts: {} }), { passed: 1, failed: 0, skipped: 0 });
    assert.deepEqual(await tallyOf(1, { counts: {} }), { passed: 0, failed: 1, skipped: 0 });
  });

  it('when it was judged and cannot tell, then it has shown nothing', async () => {
    assert.deepEqual(await tallyOf(2, { counts: {} }), { passed: 0, failed: 0, skipped: 1 });
  });

  it('when it broke, or nothing could be started, then it has failed', async () => {
    for (const json of [undefined, { reasons: ['it did not run'] }])
      assert.deepEqual(await tallyOf(2, json), { passed: 0, failed: 1, skipped: 0 });
  });
});
