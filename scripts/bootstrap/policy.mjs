import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive } from './lock.mjs';

// Debian's packages start their service when they are installed, unless this program says 101.
const POLICY = '/usr/sbin/policy-rc.d';
const KEPT = '/usr/sbin/policy-rc.d.before-counterfoil';
const OURS = /^# written by Counterfoil's set-up, process (\d+)/m;

/** Forbids service starts until the returned function is called; a policy that forbids them already is left alone. */
export function forbidServiceStarts() {
  if (forbidsAlready()) return () => undefined;
  if (existsSync(POLICY)) renameSync(POLICY, KEPT);
  writeFileSync(
    POLICY,
    `#!/bin/sh\n# written by Counterfoil's set-up, process ${process.pid}; it removes this when it ends\nexit 101\n`,
  );
  chmodSync(POLICY, 0o755);
  process.once('exit', putBack);
  return () => {
    process.off('exit', putBack);
    putBack();
  };
}

/** Heals what a set-up that was killed left behind. */
export function restorePolicy() {
  const owner = ownerOfPolicy();
  const halfMoved = !existsSync(POLICY) && existsSync(KEPT);
  if (halfMoved || (owner !== undefined && !isAlive(owner))) putBack();
}

function forbidsAlready() {
  return existsSync(POLICY) && spawnSync(POLICY, ['rabbitmq-server', 'start']).status === 101;
}

function putBack() {
  if (existsSync(KEPT)) renameSync(KEPT, POLICY);
  else if (ownerOfPolicy() !== undefined) rmSync(POLICY);
}

function ownerOfPolicy() {
  const match = existsSync(POLICY) ? OURS.exec(readFileSync(POLICY, 'utf8')) : null;
  return match ? Number(match[1]) : undefined;
}
