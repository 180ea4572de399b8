import { setTimeout as rest } from 'node:timers/promises';
import { withProgress } from './progress.mjs';
import { runQuietly } from './run-quietly.mjs';
import { forbidServiceStarts } from './policy.mjs';
import { brokerProcesses, endBrokerProcesses } from './leftovers.mjs';
import { SetUpError } from './set-up-error.mjs';
import { withSignalsHeld } from './signals.mjs';

const PACKAGES = ['mariadb-server-core', 'mariadb-client-core', 'rabbitmq-server'];
const LOCK_WAIT_S = 600;
const LOCKED = /Could not get lock|Unable to lock|is another process using it/;

export async function installWithApt() {
  await withProgress(`Installing ${PACKAGES.join(', ')} (apt-get)`, () => withSignalsHeld(installWithoutStarting));
}

async function installWithoutStarting() {
  const before = brokerProcesses();
  const restorePolicy = forbidServiceStarts();
  try {
    // A failed update is not the end: the lists at hand may do, and the install says what is wrong.
    const update = await apt(['update']);
    const install = await apt(['install', '-y', '--no-install-recommends', ...PACKAGES]);
    if (install.code !== 0) throw new SetUpError(failure(update, install));
  } finally {
    restorePolicy();
    endBrokerProcesses(before);
  }
}

// apt waits for dpkg's lock by itself, but gives up at once on the lock of its lists.
async function apt(args) {
  const giveUpAtMs = Date.now() + LOCK_WAIT_S * 1000;
  for (;;) {
    const result = await runQuietly('apt-get', ['-q', '-o', `DPkg::Lock::Timeout=${LOCK_WAIT_S}`, ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    });
    if (result.code === 0 || !LOCKED.test(result.output) || Date.now() > giveUpAtMs) return result;
    await rest(1000);
  }
}

function failure(update, install) {
  const of = (name, { code, output }) =>
    code === 0 ? '' : `${name} ended with ${code}:\n${output.trim().split('\n').slice(-15).join('\n')}\n`;
  return `apt-get could not install the servers. Check the network and /etc/apt/sources.list, or install them by hand:\n  apt-get install --no-install-recommends ${PACKAGES.join(' ')}\n\n${of('apt-get update', update)}${of('apt-get install', install)}`;
}
