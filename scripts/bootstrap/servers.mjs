import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installWithApt } from './apt.mjs';
import { withLock } from './lock.mjs';
import { restorePolicy } from './policy.mjs';
import { SetUpError } from './set-up-error.mjs';

const HOW_TO_INSTALL = `Install them, then run this again (Counterfoil starts private instances of its own; a system service is neither needed nor touched):

  Debian, Ubuntu   sudo apt-get install --no-install-recommends mariadb-server-core mariadb-client-core rabbitmq-server
                   (Debian starts a RabbitMQ service with the package; stop it with: sudo systemctl disable --now rabbitmq-server)
  Fedora           sudo dnf install mariadb-server rabbitmq-server
  macOS            brew install mariadb rabbitmq`;

/**
 * Sees to it that the native servers' programs are on this machine; installs Debian's packages where that is possible.
 * Servers in containers need none of it; they also stand in, unless native ones were asked for.
 */
export async function provideServers(root, stack) {
  if (stack === 'containers') return;
  try {
    await provideNativeServers(root);
  } catch (error) {
    if (stack === 'native' || !hasContainerEngine()) throw error;
    process.stderr.write(`${error.message.split('\n')[0]}\nContainers are used instead (--stack containers).\n`);
  }
}

const hasContainerEngine = () => Boolean(process.env.DOCKER_HOST) || existsSync('/var/run/docker.sock');

async function provideNativeServers(root) {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) restorePolicy();
  if (missingPrograms(root).length === 0) return;
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    await withLock('/run/lock/counterfoil-apt.lock', async () => {
      if (missingPrograms(root).length > 0) await installWithApt();
    });
  }
  const missing = missingPrograms(root);
  if (missing.length > 0)
    throw new SetUpError(`Not found on this machine: ${missing.join(' and ')}.\n${HOW_TO_INSTALL}`);
}

// stack/ is what starts the programs, so it is what says where they may be.
function missingPrograms(root) {
  const require = createRequire(import.meta.url);
  return require(join(root, 'stack', 'dist', 'native', 'find-programs.js')).missingPrograms();
}
