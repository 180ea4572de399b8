import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import {
  LOAD_MAIN,
  type LoadLine,
  type LoadSettings,
  type LoadSummary,
  type Outcome,
  type Progress,
} from '@counterfoil/loadtest';

export interface Load {
  readonly pid: number;
  /** Rejects when the process ends without one. */
  readonly summary: Promise<LoadSummary>;
}

/** The load comes from a process of its own, so that it is due by its own clock and not by ours. */
export function startLoad(settings: LoadSettings, onProgress: (progress: Progress) => void): Load {
  const child = fork(LOAD_MAIN, [JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const summary = new Promise<LoadSummary>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      reject(new Error(`The load generator ended without a summary (${signal ?? `exit code ${String(code)}`})`));
    });
    if (child.stdout === null) throw new Error('The load generator has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const told = JSON.parse(line) as LoadLine;
      if ('progress' in told) onProgress(told.progress);
      else resolve(told.summary);
    });
  });
  return { pid: child.pid ?? 0, summary };
}

export interface Answer {
  readonly index: number;
  readonly outcome: Outcome;
  /** When its answer came, from the start of the load, ms. */
  readonly atMs: number;
  /** From the moment it was due, ms. */
  readonly latencyMs: number;
}

const OUTCOMES: Readonly<Record<string, Outcome>> = { o: 'ok', f: 'fail', i: 'info' };

/** The file that the load process writes: a line for each order, `index outcome atMs latencyMs`. */
export async function readAnswers(file: string): Promise<Answer[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [index, outcome = 'i', atMs, latencyMs] = line.split(' ');
      return {
        index: Number(index),
        outcome: OUTCOMES[outcome] ?? 'info',
        atMs: Number(atMs),
        latencyMs: Number(latencyMs),
      };
    });
}
