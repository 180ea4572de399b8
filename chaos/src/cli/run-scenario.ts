import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Plan } from '../plan.js';
import { reportOf } from '../report/report.js';
import { writeReport } from '../report/write-report.js';
import { run } from '../run/run.js';
import { preloadsOf } from '../sabotage/preloads.js';
import { scenarioNamed } from '../scenarios/all.js';
import { seeded } from '../scenarios/random.js';
import { makePlan } from '../scenarios/scenario.js';
import { verdictJson } from '../verdict-file.js';
import { judge, type Verdict } from '../verdict.js';
import type { ChaosFlags } from './flags.js';
import { verdictLines } from './render.js';

export interface Printer {
  /** A line that stays. */
  say(text: string): void;
  /** What is going on, replaced by the next one. */
  show(text: string): void;
  /** Of this process. */
  readonly ownPid: number;
  /** Where GitHub collects what the summary of its step shows; null elsewhere. */
  readonly stepSummaryFile: string | null;
}

export async function planFor(flags: ChaosFlags, scenario: string): Promise<Plan> {
  if (flags.planFile !== null) return JSON.parse(await readFile(flags.planFile, 'utf8')) as Plan;
  return makePlan(scenarioNamed(scenario), flags, seeded(flags.seed));
}

/** Runs one plan, prints what it showed and keeps it under runs/. */
export async function runPlan(plan: Plan, flags: ChaosFlags, print: Printer): Promise<Verdict> {
  const folder = join('runs', `${stamp()}-${String(plan.seed)}-${plan.scenario}`);
  print.say(
    `${plan.scenario}  seed ${String(plan.seed)}${plan.sabotage === null ? '' : `  sabotage ${plan.sabotage}`}`,
  );
  const { facts, notes } = await run({
    plan,
    folder,
    preloads: preloadsOf(plan),
    ...(flags.backend === null ? {} : { backend: flags.backend }),
    ownPid: print.ownPid,
    onProgress: (text) => print.show(text),
  });
  const verdict = judge(facts);
  const json = verdictJson(facts, verdict);
  await writeFile(join(folder, 'verdict.json'), json);
  if (flags.jsonFile !== null) await writeFile(flags.jsonFile, json);
  for (const line of verdictLines(facts, verdict, notes)) print.say(line);
  await writeReport(reportOf(facts, verdict, notes, folder), print.stepSummaryFile).then(
    (page) => print.say(`  report: ${page}`),
    // The verdict stands without a report.
    (error: unknown) => print.say(`  the report could not be written: ${String(error)}`),
  );
  print.say(`${verdict.verdict.toUpperCase()}  ${plan.scenario}  ${folder}`);
  return verdict;
}

const stamp = (): string => new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-');
