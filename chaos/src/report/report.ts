import type { RunFacts } from '../facts.js';
import { verdictFile, type VerdictFile } from '../verdict-file.js';
import type { Verdict } from '../verdict.js';

/** What all forms of a report are made from. */
export interface Report {
  readonly facts: RunFacts;
  readonly file: VerdictFile;
  readonly notes: readonly string[];
  /** Of the run, where its plan.json lies. */
  readonly folder: string;
}

export const reportOf = (facts: RunFacts, verdict: Verdict, notes: readonly string[], folder: string): Report => ({
  ...{ facts, notes, folder },
  file: verdictFile(facts, verdict),
});

export const replayCommand = ({ folder }: Pick<Report, 'folder'>): string =>
  `npm run chaos -- --plan ${folder}/plan.json`;
