import { readFile, writeFile } from 'node:fs/promises';

import type { Plan } from '../plan.js';
import { play } from '../play.js';
import { scenarioNamed } from '../scenarios/all.js';
import { seeded } from '../scenarios/random.js';
import { makePlan } from '../scenarios/scenario.js';
import type { Verdict } from '../verdict.js';
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
  print.say(
    `${plan.scenario}  seed ${String(plan.seed)}${plan.sabotage === null ? '' : `  sabotage ${plan.sabotage}`}`,
  );
  const { facts, verdict, notes, folder, json, report } = await play(plan, {
    ...{ ownPid: print.ownPid, stepSummaryFile: print.stepSummaryFile },
    onProgress: (text) => print.show(text),
  });
  if (flags.jsonFile !== null) await writeFile(flags.jsonFile, json);
  for (const line of verdictLines(facts, verdict, notes)) print.say(line);
  print.say('page' in report ? `  report: ${report.page}` : `  the report could not be written: ${report.error}`);
  print.say(`${verdict.verdict.toUpperCase()}  ${plan.scenario}  ${folder}`);
  return verdict;
}
