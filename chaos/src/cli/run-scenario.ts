import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readFacts, type KeptRun } from '../facts-file.js';
import type { Plan } from '../plan.js';
import { reportOf } from '../report/report.js';
import { writeReport } from '../report/write-report.js';
import { run } from '../run/run.js';
import { preloadsOf } from '../sabotage/preloads.js';
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

/** Runs one plan, prints what it showed and keeps it under runs/. */
export async function runPlan(plan: Plan, flags: ChaosFlags, print: Printer): Promise<Verdict> {
  const folder = join('runs', `${stamp()}-${String(plan.seed)}-${plan.scenario}`);
  print.say(
    `${plan.scenario}  seed ${String(plan.seed)}${plan.sabotage === null ? '' : `  sabotage ${plan.sabotage}`}`,
  );
  const kept = await run({
    plan,
    folder,
    preloads: preloadsOf(plan),
    ownPid: print.ownPid,
    onProgress: (text) => print.show(text),
  });
  return judgeAndReport(kept, folder, flags, print);
}

/** Judges a run again from what it kept: by the checkers and the report of today. */
export async function reportAgain(folder: string, flags: ChaosFlags, print: Printer): Promise<Verdict> {
  return judgeAndReport(await readFacts(folder), folder, flags, print);
}

async function judgeAndReport(
  { facts, notes }: KeptRun,
  folder: string,
  flags: ChaosFlags,
  print: Printer,
): Promise<Verdict> {
  const { plan } = facts;
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
