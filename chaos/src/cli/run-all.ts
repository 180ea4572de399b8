import { backendFor } from '@counterfoil/stack';

import type { Verdict } from '../verdict.js';
import { allSaid, runUntilTold } from './again.js';
import type { ChaosFlags } from './flags.js';
import { plansFor } from './plans.js';
import { runPlan, type Printer } from './run-scenario.js';
import { whyNot } from './supported.js';

/** Runs what the flags ask for, one after the other. @returns the verdict that counts of each; one alone that cannot be run here is unknown */
export async function runAll(flags: ChaosFlags, print: Printer): Promise<Verdict['verdict'][]> {
  const plans = await plansFor(flags);
  if (plans.length === 0) print.say('There is no regression to replay');
  const backend = backendFor(flags.backend ?? undefined);
  const verdicts: Verdict['verdict'][] = [];
  const notSupported: string[] = [];
  for (const plan of plans) {
    const reason = whyNot(plan, backend);
    if (reason !== null) {
      notSupported.push(`NOT SUPPORTED  ${plan.scenario}: ${reason}`);
      continue;
    }
    const runs = await runUntilTold(flags.again, () => runPlan(plan, flags, print));
    if (runs.length > 1) print.say(allSaid(runs));
    verdicts.push((runs.at(-1) ?? runs[0]).verdict);
    print.say('');
  }
  for (const line of notSupported) print.say(line);
  return verdicts.length === 0 && notSupported.length > 0 ? ['unknown'] : verdicts;
}
