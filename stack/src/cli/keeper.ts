import { startStack } from '../start-stack.js';
import type { BackendName } from '../stack.js';
import { readState, removeState, writeState, type KeeperState } from './keeper-state.js';

export type KeeperAnswer = { state: KeeperState } | { error: string };

/** The process behind `up`: it owns the servers after the shell has gone, until `down` sends SIGTERM. */
export async function keep(backend: BackendName | undefined, answer: (message: KeeperAnswer) => void): Promise<void> {
  try {
    const stack = await startStack(backend ? { backend } : {});
    const already = readState();
    if (already) {
      // Another `up` was faster.
      await stack.stop();
      return answer({ state: already });
    }
    const state = { pid: process.pid, folder: stack.folder, urls: stack.urls() };
    writeState(state);
    process.once('SIGTERM', () => {
      removeState();
      void stack.stop();
    });
    answer({ state });
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) });
  }
}
