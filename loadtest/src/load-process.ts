import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { LoadSummary, Progress } from './generator.js';
import type { LoadLine, LoadSettings } from './settings.js';

const LOAD_MAIN = join(__dirname, 'main.js');

export interface LoadProcess {
  readonly pid: number;
  /** When order 0 was due, ms since 1970. Rejects when the process ends before that. */
  readonly startedAt: Promise<number>;
  /** Rejects when the process ends without one. */
  readonly summary: Promise<LoadSummary>;
  stop(): void;
}

/** The load comes from a process of its own, so that it is due by its own clock and not by ours. */
export function startLoad(settings: LoadSettings, onProgress: (progress: Progress) => void): LoadProcess {
  const child = fork(LOAD_MAIN, [JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  if (child.stdout === null) throw new Error('The load generator has no output');
  const lines = createInterface({ input: child.stdout });
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      reject(new Error(`The load generator ended without a summary (${signal ?? `exit code ${String(code)}`})`));
    });
  });
  const { promise: startedAt, resolve: start } = later<number>(ended);
  const { promise: summary, resolve: end } = later<LoadSummary>(ended);
  lines.on('line', (line) => {
    const told = JSON.parse(line) as LoadLine;
    if ('startedAt' in told) start(told.startedAt);
    else if ('progress' in told) onProgress(told.progress);
    else end(told.summary);
  });
  return { pid: child.pid ?? 0, startedAt, summary, stop: () => void child.kill('SIGKILL') };
}

/** A promise for what a line will say; the end of the process rejects it. Whoever does not wait for it need not catch. */
function later<T>(ended: Promise<never>): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const told = new Promise<T>((keep) => {
    resolve = keep;
  });
  const promise = Promise.race([told, ended]);
  promise.catch(() => undefined);
  return { promise, resolve };
}
