import { existsSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { isAlive, readState } from './keeper-state.js';

const GONE_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 50;

export async function down(tell: (line: string) => void): Promise<void> {
  const state = readState();
  if (!state) return tell('No stack is up.');
  process.kill(state.pid, 'SIGTERM');
  const giveUpAtMs = Date.now() + GONE_WITHIN_MS;
  while (isAlive(state.pid) || existsSync(state.folder)) {
    if (Date.now() > giveUpAtMs)
      throw new Error(
        `The stack (process ${state.pid}) did not stop; its logs are in ${state.folder}. End it with: kill -9 ${state.pid}`,
      );
    await rest(LOOK_AGAIN_MS);
  }
  tell('The stack is down.');
}
