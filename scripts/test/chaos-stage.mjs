import { exitCodeOf } from './run-node.mjs';

const VALID = 0;
const INVALID = 1;

/**
 * Short runs of chaos scenarios, one test each. A run that cannot tell (a machine busy with other things) is tried
 * once more and then counts as skipped: it has shown nothing. An invalid one is a failure at once.
 */
export function chaosStage(name, { scenarios, args, minutes }) {
  return {
    name,
    async run() {
      const tally = { passed: 0, failed: 0, skipped: 0 };
      for (const scenario of scenarios) {
        const run = () => exitCodeOf(['chaos/dist/main.js', '--scenario', scenario, ...args], { minutes });
        const first = await run();
        const code = first === VALID || first === INVALID ? first : await run();
        if (code === VALID) tally.passed += 1;
        else if (code === 2) tally.skipped += 1;
        else tally.failed += 1;
      }
      return tally;
    },
  };
}
