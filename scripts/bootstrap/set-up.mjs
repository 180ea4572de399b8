import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { needsBuild, build } from './build.mjs';
import { needsInstall, install } from './install.mjs';
import { withLock } from './lock.mjs';
import { handOver } from './hand-over.mjs';
import { provideServers } from './servers.mjs';
import { takeStack } from './stack-flag.mjs';
import { SetUpError } from './set-up-error.mjs';
import { endOnSignals } from './signals.mjs';

export async function setUpAndHandOver(root, verbs, verbName, args) {
  const verb = Object.hasOwn(verbs, verbName ?? '') ? verbs[verbName] : undefined;
  if (!verb) {
    throw new SetUpError(
      `Usage: node scripts/bootstrap.mjs <verb> [arguments]\nVerbs: ${Object.keys(verbs).join(', ')}`,
    );
  }
  const passSignalsOn = endOnSignals();
  await provideProgram(root);
  if (verb.servers && !bringsServers(verb, args)) await provideServers(root, takeStack(args).stack);
  const script = join(root, verb.run[0]);
  if (!existsSync(script)) throw new SetUpError(`"${verbName}" is not there: ${script} does not exist.`);
  passSignalsOn();
  await handOver([...(verb.largeHeap ? [heapOfMostMemory()] : []), script, ...verb.run.slice(1), ...args]);
}

// Node's own limit is about 4 GB, whatever the machine has.
const heapOfMostMemory = () => `--max-old-space-size=${Math.floor((0.6 * totalmem()) / 2 ** 20)}`;

// Looks first without the lock: when nothing is to be done, a clone that belongs to somebody else works as well.
async function provideProgram(root) {
  if (!needsInstall(root) && !needsBuild(root)) return;
  await withLock(join(root, '.cache', 'bootstrap.lock'), async (alsoHeldBy) => {
    if (needsInstall(root)) await install(root, alsoHeldBy);
    if (needsBuild(root)) await build(root, alsoHeldBy);
  });
}

function bringsServers(verb, args) {
  const isTold = verb.serversUnless !== undefined && args.some((arg) => arg.split('=')[0] === verb.serversUnless);
  return isTold || (verb.ownServers !== undefined && verb.ownServers.every((name) => process.env[name]));
}
