import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withProgress } from './progress.mjs';
import { runQuietly } from './run-quietly.mjs';
import { SetUpError } from './set-up-error.mjs';

const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network/;

/** Compares what npm wrote down after its last install with the lock file: a clone's file times say nothing. */
export function needsInstall(root) {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return true;
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(installedFile);
  const isThere = ([path, want]) => {
    const have = installed[path];
    // Optional packages are those of other platforms; npm leaves them out.
    if (!have) return want.optional === true || want.devOptional === true || want.peer === true;
    return have.version === want.version && have.integrity === want.integrity;
  };
  const inModules = (packages) => Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  return !inModules(wanted).every(isThere) || inModules(installed).some(([path]) => !wanted[path]);
}

export async function install(root, onStart) {
  const npm = npmCommand();
  const inRoot = (args, options) => runQuietly(npm[0], [...npm.slice(1), ...args], { cwd: root, ...options });
  await withProgress('Installing packages (npm ci)', async () => {
    const { code, output } = await inRoot(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { onStart });
    if (code === 0) return;
    const registry = (await inRoot(['config', 'get', 'registry'])).output.trim();
    throw new SetUpError(`${causeOf(output, registry)} npm says:\n\n${output.trim()}`);
  });
}

function causeOf(output, registry) {
  if (!UNREACHABLE.test(output)) return 'npm ci failed.';
  return (
    `npm cannot reach its registry ${registry}. Check the network, a proxy (npm config get proxy) ` +
    'or the registry setting, then run this again.'
  );
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}

// The npm that started us, where there is one: it may not be the one on the PATH.
function npmCommand() {
  const started = process.env.npm_execpath;
  return started !== undefined && /npm-cli\.c?js$/.test(started) ? [process.execPath, started] : ['npm'];
}
