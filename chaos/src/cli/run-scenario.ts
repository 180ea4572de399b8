import { readFacts } from '../facts-file.js';
import type { Plan } from '../plan.js';
import { judgeAndReport, play, type Played } from '../play.js';
import { unjudgedJson } from '../verdict-file.js';
import { unjudged, type Verdict } from '../verdict.js';
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
  /** For `--json`. */
  readonly json: string;
}

/** Runs one plan, prints what it showed and keeps it under runs/. */
export async function runPlan(plan: Plan, flags: Pick<ChaosFlags, 'backend'>, print: Printer): Promise<Told> {
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
  return tell(played, print);
}

/** A world that does not start, or a run that breaks, has told nothing; others may still tell something. */
function didNotRun(plan: Plan, error: unknown, print: Printer): Told {
  const reason = `it did not run: ${error instanceof Error ? error.message : String(error)}`;
  print.say(`  reason: ${reason}`);
  const line = `UNKNOWN  ${plan.scenario}`;
  print.say(line);
  const whole = unjudged(reason);
  return { verdict: 'unknown', line, whole, json: unjudgedJson(whole, plan) };
}

/** Judges a run again from what it kept: by the checkers and the report of today. */
export async function reportAgain(folder: string, print: Printer): Promise<Told> {
  return tell(await judgeAndReport(await readFacts(folder), folder, print.stepSummaryFile), print);
}

function tell(played: Played, print: Printer): Told {
  const { facts, verdict, notes, folder, json, report } = played;
  for (const line of verdictLines(facts, verdict, notes)) print.say(line);
  print.say('page' in report ? `  report: ${report.page}` : `  the report could not be written: ${report.error}`);
  const line = `${verdict.verdict.toUpperCase()}  ${facts.plan.scenario}  ${folder}`;
  print.say(line);
  return { verdict: verdict.verdict, line, whole: verdict, json };
}
