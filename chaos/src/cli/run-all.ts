import { backendFor } from '@counterfoil/stack';

import { unjudgedJson } from '../verdict-file.js';
import { unjudged } from '../verdict.js';
import { allSaid, runUntilTold } from './again.js';
import type { ChaosFlags } from './flags.js';
import { plansFor } from './plans.js';
import { runPlan, type Printer, type Told } from './run-scenario.js';
import { whyNot } from './supported.js';

type Counted = Pick<Told, 'verdict' | 'json'>;

/** Runs what the flags ask for, one after the other. @returns the verdict that counts of each; where none can be run here, that is unknown */
export async function runAll(flags: ChaosFlags, print: Printer): Promise<Counted[]> {
  const plans = await plansFor(flags);
  if (plans.length === 0) print.say('There is no regression to replay');
  const backend = backendFor(flags.backend ?? undefined);
  const counted: Counted[] = [];
  const notSupported: string[] = [];
  for (const plan of plans) {
    const reason = whyNot(plan, backend);
    if (reason !== null) {
      notSupported.push(`NOT SUPPORTED  ${plan.scenario}: ${reason}`);
      continue;
    }
    const runs = await runUntilTold(flags.again, () => runPlan(plan, flags, print));
    if (runs.length > 1) print.say(allSaid(runs));
    counted.push(runs.at(-1) ?? runs[0]);
    print.say('');
  }
  for (const line of notSupported) print.say(line);
  if (counted.length > 0 || notSupported.length === 0) return counted;
  return [{ verdict: 'unknown', json: unjudgedJson(unjudged(...notSupported), null) }];
}
