import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Runs the verb in our place: same terminal, same signals, same exit code. Does not return. */
export function handOver(nodeArgs) {
  const child = spawn(process.execPath, nodeArgs, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group: passed on, the verb would see it twice and take it for "at once".
      if (signal === 'SIGINT' && hasTerminal()) return;
      child.kill(signal);
    });
  }
  return new Promise((_resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

const hasTerminal = () => [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
