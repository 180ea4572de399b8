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
const fileOf = (what: string): string => join(tmpdir(), `counterfoil-${what}-${userInfo().uid}-${clone}.json`);

const stateFile = fileOf('up');
/** The same about the stack of `npm start`, which nobody takes down but itself. */
export const startedFile = fileOf('start');

export function writeState(state: KeeperState): void {
  // Without the flag: what is there was left by a keeper that was killed.
  writeFileSync(stateFile, JSON.stringify(state), { mode: 0o600 });
}

export function removeState(): void {
  rmSync(stateFile, { force: true });
}

/** The stack that is up, if one is. */
export const readState = (): KeeperState | undefined => stateIn(stateFile);

/** A pid alone could be somebody else's by now, but the folder goes when its keeper does. */
export function stateIn(file: string): KeeperState | undefined {
  if (!existsSync(file)) return undefined;
  const state = JSON.parse(readFileSync(file, 'utf8')) as KeeperState;
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
