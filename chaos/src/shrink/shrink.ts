import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Plan } from '../plan.js';
import { readPlan } from '../plan-file/read-plan.js';
import { faultDetails, faultLabel, seconds } from '../report/words.js';
import type { Verdict } from '../verdict.js';
import { minimize, type Minimized } from './minimize.js';
import { keepRegression, planText } from './regressions.js';
import { brokenIn, failsAlike, planWith } from './smaller-plan.js';

export interface ShrinkOptions {
  /** Of an invalid run: its plan.json and verdict.json are read. */
  readonly folder: string;
  readonly mostRuns: number;
  readonly regressionsFolder: string;
  readonly runPlan: (plan: Plan) => Promise<Verdict>;
  readonly say: (text: string) => void;
}

/**
 * Finds the smallest part of a run's fault schedule that breaks the same, and keeps it as a regression.
 * @returns the plan; null when the whole of it did not fail again, so that nothing can be concluded from its parts
 * @throws Error when the run was not invalid
 */
export async function shrink(options: ShrinkOptions): Promise<Plan | null> {
  const { folder, mostRuns, runPlan, say } = options;
  const plan = await readPlan(join(folder, 'plan.json'));
  const broken = brokenIn(JSON.parse(await readFile(join(folder, 'verdict.json'), 'utf8')) as Verdict);
  if (broken.length === 0) throw new Error(`Nothing is broken in ${folder}: only an invalid run can be shrunk`);
  const stillFails = async (faults: Plan['faults']): Promise<boolean> => {
    say(`with ${faultsText(faults)}`);
    const fails = failsAlike(await runPlan(planWith(plan, faults)), broken);
    say(fails ? `still breaks ${broken.join(' or ')}\n` : `does not break ${broken.join(' or ')}\n`);
    return fails;
  };
  if (!(await stillFails(plan.faults))) {
    say(
      'The whole plan did not fail again. Run it a few times with --plan: a failure that comes and goes cannot be shrunk',
    );
    return null;
  }
  const found = await minimize(plan.faults, stillFails, mostRuns - 1);
  return keep(options, planWith(plan, found.smallest), { broken, found });
}

async function keep(
  { folder, regressionsFolder, say }: ShrinkOptions,
  plan: Plan,
  { broken, found }: { readonly broken: readonly string[]; readonly found: Minimized<unknown> },
): Promise<Plan> {
  const file = join(folder, 'shrunk-plan.json');
  await writeFile(file, planText(plan));
  say(`The smallest schedule that still fails${found.isMinimal ? '' : ', as far as the runs reached'}:`);
  for (const { id, atMs, fault } of plan.faults)
    say(`  ${seconds(atMs)}  ${faultLabel({ id, fault })}  ${faultDetails(fault)}`);
  if (plan.faults.length === 0) say('  no fault at all');
  // A planted bug must be found each time that it is planted: nothing to be kept from coming back.
  const kept = plan.sabotage === null ? await keepRegression(regressionsFolder, plan, broken) : file;
  say(`after ${String(found.asked + 1)} runs: ${kept}`);
  return plan;
}

const faultsText = (faults: Plan['faults']): string =>
  faults.length === 0 ? 'no fault' : faults.map(({ id }) => id).join(' ');
