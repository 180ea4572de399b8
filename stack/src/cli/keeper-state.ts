import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { StackUrls } from '../stack.js';

/** What `up` leaves for the next `up` and for `down`. One per clone and user. */
export interface KeeperState {
  pid: number;
  folder: string;
  urls: StackUrls;
}

const clone = createHash('sha256').update(__dirname).digest('hex').slice(0, 12);
const stateFile = join(tmpdir(), `counterfoil-up-${userInfo().uid}-${clone}.json`);

export function writeState(state: KeeperState): void {
  // Without the flag: what is there was left by a keeper that was killed.
  writeFileSync(stateFile, JSON.stringify(state), { mode: 0o600 });
}

export function removeState(): void {
  rmSync(stateFile, { force: true });
}

/** The stack that is up, if one is. A pid alone could be somebody else's by now, but the folder goes when its keeper does. */
export function readState(): KeeperState | undefined {
  if (!existsSync(stateFile)) return undefined;
  const state = JSON.parse(readFileSync(stateFile, 'utf8')) as KeeperState;
  return isAlive(state.pid) && existsSync(state.folder) ? state : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
