import { fork } from 'node:child_process';
import type { BackendName } from '../stack.js';
import type { KeeperAnswer } from './keeper.js';
import { readState, type KeeperState } from './keeper-state.js';

/** Resolves when the servers are ready; they outlive this process. */
export async function up(
  mainFile: string,
  backend: BackendName | undefined,
  tell: (line: string) => void,
): Promise<KeeperState> {
  const already = readState();
  if (already) {
    tell(`The stack is up already (process ${already.pid}).`);
    return already;
  }
  tell('Starting two databases and the broker …');
  const answer = await startKeeper(mainFile, backend);
  if ('error' in answer) throw new Error(answer.error);
  return answer.state;
}

function startKeeper(mainFile: string, backend: BackendName | undefined): Promise<KeeperAnswer> {
  return new Promise((resolve, reject) => {
    const keeper = fork(mainFile, ['keep', ...(backend ? ['--stack', backend] : [])], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    keeper.once('error', reject);
    keeper.once('exit', (code, signal) =>
      reject(new Error(`The process that keeps the stack ended (${signal ?? code}).`)),
    );
    keeper.once('message', (message) => {
      keeper.disconnect();
      keeper.unref();
      resolve(message as KeeperAnswer);
    });
  });
}
