import { appendFileSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';

const LOOK_AGAIN_MS = 200;
const BREAKING_TAKES_AT_MOST_MS = 10_000;

/**
 * Runs `work` while no other process of this machine holds the lock file; a lock whose owners are gone is broken.
 * `work` gets a function that makes a child an owner too: npm goes on when we are killed.
 */
export async function withLock(lockFile, work) {
  mkdirSync(dirname(lockFile), { recursive: true });
  let told = false;
  while (!tryLock(lockFile)) {
    const owners = ownersOf(lockFile);
    if (owners !== undefined && !isHeld(owners)) {
      breakLock(lockFile, owners);
      continue;
    }
    if (!told) process.stderr.write(`Waiting for another set-up (process ${owners ?? '?'}, ${lockFile}) …\n`);
    told = true;
    await rest(LOOK_AGAIN_MS);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.once('exit', release);
  try {
    return await work((pid) => appendFileSync(lockFile, ` ${pid}`));
  } finally {
    process.off('exit', release);
    release();
  }
}

// Written aside and then linked, so that nobody ever reads a lock without its owner.
function tryLock(lockFile) {
  const mine = `${lockFile}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, lockFile);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

// Two waiters may find the same dead owner; without this second file the slower one would remove the faster one's fresh lock.
function breakLock(lockFile, deadOwners) {
  const breaking = `${lockFile}.breaking`;
  try {
    mkdirSync(breaking);
  } catch {
    removeWhenOld(breaking);
    return;
  }
  if (ownersOf(lockFile) === deadOwners) rmSync(lockFile, { force: true });
  rmSync(breaking, { recursive: true, force: true });
}

function removeWhenOld(folder) {
  try {
    if (Date.now() - statSync(folder).mtimeMs > BREAKING_TAKES_AT_MOST_MS)
      rmSync(folder, { recursive: true, force: true });
  } catch {
    // Its owner has just removed it.
  }
}

function ownersOf(lockFile) {
  try {
    return readFileSync(lockFile, 'utf8');
  } catch {
    return undefined;
  }
}

const isHeld = (owners) => owners.split(' ').map(Number).some(isAlive);

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
