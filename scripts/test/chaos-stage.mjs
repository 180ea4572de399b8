import { exitCodeOf } from './run-node.mjs';

const VALID = 0;
const UNKNOWN = 2;

/**
 * Short runs of chaos scenarios, one test each. One that cannot tell, even when it was made again (a machine busy with
 * other things), counts as skipped: it has shown nothing. `minutes` are for all that is made of one scenario.
 */
export function chaosStage(name, { scenarios, args, minutes }) {
  return {
    name,
    async run() {
      const tally = { passed: 0, failed: 0, skipped: 0 };
      for (const scenario of scenarios) {
        const code = await exitCodeOf(['chaos/dist/main.js', '--scenario', scenario, ...args], { minutes });
        if (code === VALID) tally.passed += 1;
        else if (code === UNKNOWN) tally.skipped += 1;
        else tally.failed += 1;
      }
      return tally;
    },
  };
}
