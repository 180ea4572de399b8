import { rmSync, writeFileSync } from 'node:fs';
import { readState, startedFile, stateIn } from './cli/keeper-state.js';
import type { Stack, StackUrls } from './stack.js';

/** Servers of this clone and user that other programs may look at. */
export interface RunningSystem {
  readonly by: 'npm start' | 'npm run stack';
  readonly urls: StackUrls;
}

/** Lets other programs find a stack for as long as it is up. @returns what to call when it is not any more */
export function announce(stack: Stack, pid: number): () => void {
  const state = { pid, folder: stack.folder, urls: stack.urls() };
  writeFileSync(startedFile, JSON.stringify(state), { mode: 0o600 });
  return () => {
    // Another one may have been started since.
    if (stateIn(startedFile)?.pid === pid) rmSync(startedFile, { force: true });
  };
}

export function runningSystems(): RunningSystem[] {
  const started = stateIn(startedFile);
  const kept = readState();
  return [
    ...(started === undefined ? [] : [{ by: 'npm start' as const, urls: started.urls }]),
    ...(kept === undefined ? [] : [{ by: 'npm run stack' as const, urls: kept.urls }]),
  ];
}
