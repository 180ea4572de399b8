import type { Verdict } from '../verdict.js';
import { allSaid, runUntilTold } from './again.js';
import type { ChaosFlags } from './flags.js';
import { plansFor } from './plans.js';
import { runPlan, type Printer } from './run-scenario.js';

/** Runs what the flags ask for, one after the other. @returns the verdict that counts of each */
export async function runAll(flags: ChaosFlags, print: Printer): Promise<Verdict['verdict'][]> {
  const plans = await plansFor(flags);
  if (plans.length === 0) print.say('There is no regression to replay');
  const verdicts: Verdict['verdict'][] = [];
  for (const plan of plans) {
    const runs = await runUntilTold(flags.again, () => runPlan(plan, flags, print));
    if (runs.length > 1) print.say(allSaid(runs));
    verdicts.push((runs.at(-1) ?? runs[0]).verdict);
    print.say('');
  }
  return verdicts;
}
