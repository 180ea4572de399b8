import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { RunFacts } from './facts.js';
import type { KeptRun } from './facts-file.js';
import type { Plan } from './plan.js';
import { reportOf } from './report/report.js';
import { writeReport } from './report/write-report.js';
import { makeRunFolder, stamp } from './run/run-folder.js';
import { run, type RunOptions } from './run/run.js';
import { preloadsOf } from './sabotage/preloads.js';
import { verdictJson } from './verdict-file.js';
import { judge, type Verdict } from './verdict.js';

export interface PlayOptions extends Omit<RunOptions, 'plan' | 'folder' | 'preloads'> {
  /** Where GitHub collects what the summary of its step shows; null elsewhere. */
  readonly stepSummaryFile: string | null;
}

export interface Played {
  readonly facts: RunFacts;
  readonly verdict: Verdict;
  readonly notes: readonly string[];
  readonly folder: string;
  /** The text of verdict.json. */
  readonly json: string;
  /** The path of report.html, or why there is none: the verdict stands without a report. */
  readonly report: { readonly page: string } | { readonly error: string };
}

/** Carries a plan out, judges what is left, and keeps all of it in a folder of its own under runs/. */
export async function play(plan: Plan, options: PlayOptions): Promise<Played> {
  const preloads = preloadsOf(plan);
  const folder = await makeRunFolder(`${stamp()}-${String(plan.seed)}-${plan.scenario}`);
  const kept = await run({ ...options, plan, folder, preloads });
  return judgeAndReport(kept, folder, options.stepSummaryFile);
}

/** Judges a run by what was kept of it, with the checkers and the report of today. What cannot be written takes no verdict along. */
export async function judgeAndReport(
  { facts, notes }: KeptRun,
  folder: string,
  stepSummaryFile: string | null,
): Promise<Played> {
  const verdict = judge(facts);
  const json = verdictJson(facts, verdict);
  const allNotes = await writeFile(join(folder, 'verdict.json'), json).then(
    () => notes,
    (error: unknown) => [...notes, `verdict.json could not be written: ${String(error)}`],
  );
  const report = await writeReport(reportOf(facts, verdict, allNotes, folder), stepSummaryFile).then(
    (page) => ({ page }),
    (error: unknown) => ({ error: String(error) }),
  );
  return { facts, verdict, notes: allNotes, folder, json, report };
}
