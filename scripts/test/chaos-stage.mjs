import { readFileSync } from 'node:fs';
import { exitCodeOf } from './run-node.mjs';
import { withScratchFile } from './with-scratch-file.mjs';

const VALID = 0;
const UNKNOWN = 2;

/**
 * Short runs of chaos scenarios, one test each. One that cannot tell, even when it was made again (a machine busy with
 * other things), counts as skipped: it has shown nothing. `minutes` are for all that is made of one scenario.
 */
export function chaosStage(name, { scenarios, args, minutes, program = 'chaos/dist/main.js' }) {
  return {
    name,
    async run() {
      const tally = { passed: 0, failed: 0, skipped: 0 };
      for (const scenario of scenarios) {
        tally[await endingOf([program, '--scenario', scenario, ...args], minutes)] += 1;
      }
      return tally;
    },
  };
}

const endingOf = (command, minutes) =>
  withScratchFile(async (file) => {
    const code = await exitCodeOf([...command, '--json', file], { minutes });
    if (code === VALID) return 'passed';
    // A harness that breaks, or cannot start anything, cannot tell either; skipped, it would stay so unseen.
    return code === UNKNOWN && wasJudged(file) ? 'skipped' : 'failed';
  });

/** Only what was run and judged has counts. */
function wasJudged(file) {
  try {
    return 'counts' in JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}
