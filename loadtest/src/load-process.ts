import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { LoadSummary, Progress } from './generator.js';
import type { LoadLine, LoadSettings } from './settings.js';

const LOAD_MAIN = join(__dirname, 'main.js');

export interface LoadProcess {
  readonly pid: number;
  /** Rejects when the process ends without one. */
  readonly summary: Promise<LoadSummary>;
  stop(): void;
}

/** The load comes from a process of its own, so that it is due by its own clock and not by ours. */
export function startLoad(settings: LoadSettings, onProgress: (progress: Progress) => void): LoadProcess {
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
  return { pid: child.pid ?? 0, summary, stop: () => void child.kill('SIGKILL') };
}
