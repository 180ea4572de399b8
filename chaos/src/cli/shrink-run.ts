import { REGRESSIONS } from '../shrink/regressions.js';
import { shrink } from '../shrink/shrink.js';
import { EXIT_CODES } from '../verdict.js';
import type { ChaosFlags } from './flags.js';
import { runPlan, type Printer } from './run-scenario.js';

/** @returns the exit code: that of an invalid run when the smallest schedule was found, else that of an unknown one */
export async function shrinkRun(folder: string, flags: ChaosFlags, print: Printer): Promise<number> {
  // Runs on the way are no results of their own.
  const quiet = { ...print, stepSummaryFile: null };
  const found = await shrink({
    ...{ folder, mostRuns: flags.shrinkRuns, regressionsFolder: REGRESSIONS },
    runPlan: async (plan) => (await runPlan(plan, flags, quiet)).whole,
    say: (text) => print.say(text),
  });
  return EXIT_CODES[found === null ? 'unknown' : 'invalid'];
}
