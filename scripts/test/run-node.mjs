import { spawn } from 'node:child_process';

const KILL_AFTER_MS = 15_000;

/**
 * Runs Node with these arguments, all it says on our standard output, until it ends or `minutes` are over.
 * Resolves to its exit code, null when a signal ended it. When we are told to stop, it is told too, and we end after it.
 */
export function exitCodeOf(args, { minutes, env = {} }) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 1, 1], env: { ...process.env, ...env } });
  const deadline = setTimeout(() => endOf(child, `over its ${minutes} minutes`), minutes * 60_000);
  const letGo = endWith(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  }).finally(() => {
    clearTimeout(deadline);
    letGo();
  });
}

/** True when it exits 0. */
export const runNode = async (args, options) => (await exitCodeOf(args, options)) === 0;

function endWith(child) {
  const endAfterIt = (code) => child.once('exit', () => process.exit(code));
  const onTerminate = () => {
    endAfterIt(143);
    endOf(child, 'told to stop');
  };
  const onInterrupt = () => {
    endAfterIt(130);
    // A terminal tells the whole group, and a second signal would cut the child's clearing up short.
    if (!process.stdout.isTTY) child.kill('SIGINT');
  };
  process.once('SIGTERM', onTerminate);
  process.once('SIGINT', onInterrupt);
  return () => {
    process.off('SIGTERM', onTerminate);
    process.off('SIGINT', onInterrupt);
  };
}

// First politely, so that it stops the servers that it started.
function endOf(child, why) {
  process.stdout.write(`${child.spawnargs.slice(1).join(' ')}: ${why}\n`);
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
}
