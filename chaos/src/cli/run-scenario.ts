import { writeFile } from 'node:fs/promises';

import { readFacts } from '../facts-file.js';
import type { Plan } from '../plan.js';
import { judgeAndReport, play, type Played } from '../play.js';
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

/** Runs one plan, prints what it showed and keeps it under runs/. */
export async function runPlan(plan: Plan, flags: ChaosFlags, print: Printer): Promise<Verdict> {
  print.say(
    `${plan.scenario}  seed ${String(plan.seed)}${plan.sabotage === null ? '' : `  sabotage ${plan.sabotage}`}`,
  );
  const played = await play(plan, {
    ...{ ownPid: print.ownPid, stepSummaryFile: print.stepSummaryFile },
    ...(flags.backend === null ? {} : { backend: flags.backend }),
    onProgress: (text) => print.show(text),
  });
  return tell(played, flags, print);
}

/** Judges a run again from what it kept: by the checkers and the report of today. */
export async function reportAgain(folder: string, flags: ChaosFlags, print: Printer): Promise<Verdict> {
  return tell(await judgeAndReport(await readFacts(folder), folder, print.stepSummaryFile), flags, print);
}

async function tell(played: Played, flags: ChaosFlags, print: Printer): Promise<Verdict> {
  const { facts, verdict, notes, folder, json, report } = played;
  if (flags.jsonFile !== null) await writeFile(flags.jsonFile, json);
  for (const line of verdictLines(facts, verdict, notes)) print.say(line);
  print.say('page' in report ? `  report: ${report.page}` : `  the report could not be written: ${report.error}`);
  print.say(`${verdict.verdict.toUpperCase()}  ${facts.plan.scenario}  ${folder}`);
  return verdict;
}
