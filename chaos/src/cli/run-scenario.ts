import { writeFile } from 'node:fs/promises';

import { readFacts } from '../facts-file.js';
import type { Plan } from '../plan.js';
import { judgeAndReport, play, type Played } from '../play.js';
import type { Verdict } from '../verdict.js';
import type { Said } from './again.js';
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

export interface Told extends Said {
  readonly whole: Verdict;
}

/** Runs one plan, prints what it showed and keeps it under runs/. */
export async function runPlan(plan: Plan, flags: ChaosFlags, print: Printer): Promise<Told> {
  print.say(
    `${plan.scenario}  seed ${String(plan.seed)}${plan.sabotage === null ? '' : `  sabotage ${plan.sabotage}`}`,
  );
  let played: Played;
  try {
    played = await play(plan, {
      ...{ ownPid: print.ownPid, stepSummaryFile: print.stepSummaryFile },
      ...(flags.backend === null ? {} : { backend: flags.backend }),
      onProgress: (text) => print.show(text),
    });
  } catch (error) {
    return didNotRun(plan, error, print);
  }
  return tell(played, flags, print);
}

/** A world that does not start, or a run that breaks, has told nothing; others may still tell something. */
function didNotRun({ scenario }: Plan, error: unknown, print: Printer): Told {
  const reason = `it did not run: ${error instanceof Error ? error.message : String(error)}`;
  print.say(`  reason: ${reason}`);
  const line = `UNKNOWN  ${scenario}`;
  print.say(line);
  return { verdict: 'unknown', line, whole: { verdict: 'unknown', reasons: [reason], invariants: [], notJudged: {} } };
}

/** Judges a run again from what it kept: by the checkers and the report of today. */
export async function reportAgain(folder: string, flags: ChaosFlags, print: Printer): Promise<Told> {
  return tell(await judgeAndReport(await readFacts(folder), folder, print.stepSummaryFile), flags, print);
}

async function tell(played: Played, flags: ChaosFlags, print: Printer): Promise<Told> {
  const { facts, verdict, notes, folder, json, report } = played;
  if (flags.jsonFile !== null) await writeFile(flags.jsonFile, json);
  for (const line of verdictLines(facts, verdict, notes)) print.say(line);
  print.say('page' in report ? `  report: ${report.page}` : `  the report could not be written: ${report.error}`);
  const line = `${verdict.verdict.toUpperCase()}  ${facts.plan.scenario}  ${folder}`;
  print.say(line);
  return { verdict: verdict.verdict, line, whole: verdict };
}
